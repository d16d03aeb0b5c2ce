# The extension alone, as an image that CloudNativePG mounts beside a server (PostgreSQL
# 18 or later): /lib and /share/extension, and nothing else.
#
#	docker build -f packaging/container/extension.Dockerfile -t ribbon:1.0.0-18-trixie .
#
# packaging/container/metadata.hcl is for its catalogue of extensions; cluster.yaml
# is how a cluster takes it.

ARG BASE=ghcr.io/cloudnative-pg/postgresql:18-minimal-trixie
FROM ${BASE} AS build
ARG PG_MAJOR=18
USER root
COPY . /ribbon
RUN bash /ribbon/packaging/container/install.sh "$PG_MAJOR" /made \
	&& install -D -m 644 /ribbon/LICENSE /made/licenses/ribbon/LICENSE

FROM scratch
COPY --from=build /made/ /
USER 65532:65532
