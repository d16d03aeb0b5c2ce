export default { serverExternalPackages: ["ribbonfilter"] };
