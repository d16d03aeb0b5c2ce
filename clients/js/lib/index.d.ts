// Types of ribbonfilter: ribbon filters and maps of PostgreSQL's extension ribbon.

/** The key classes by name; numbers are those of docs/canonical.md. */
export type KeyClass =
  | "hash"
  | "integer"
  | "text"
  | "bytea"
  | "uuid"
  | "bool"
  | "date"
  | "time"
  | "timestamp"
  | "timestamptz"
  | "oid"
  | "float"
  | "macaddr"
  | "macaddr8"
  | "numeric"
  | "interval"
  | "inet"
  | "enum"
  | "char"
  | "timetz"
  | "xid8"
  | "pg_lsn"
  | "bit"
  | "array"
  | "range"
  | "multirange"
  | "row"
  | "jsonb"
  | "other"
  | "other, big-endian";

export const KEY_CLASSES: Readonly<Record<KeyClass, number>>;

export interface Interval {
  months?: number | bigint;
  days?: number | bigint;
  microseconds?: number | bigint;
}

/** What can be a key: read as one of the filter's class, or refused with code KEY_TYPE or KEY. */
export type KeyValue = string | bigint | number | boolean | Uint8Array | ArrayBuffer | Date | Interval | Key;

/** A key of a certain class. */
export class Key {
  constructor(value: Exclude<KeyValue, Key>, keyClass: KeyClass);
  /** A key of which you make the canonical bytes yourself (docs/canonical.md). */
  static canonical(bytes: Uint8Array, keyClass: KeyClass): Key;
  readonly class: number;
}

export type ErrorCode =
  | "MEMORY"
  | "CANCELLED"
  | "FPR"
  | "OPTION"
  | "NOT_LARGER"
  | "TRUNCATED"
  | "VERSION"
  | "CORRUPT"
  | "CONFLICT"
  | "DAMAGED"
  | "EXACT"
  | "KEY"
  | "KEY_TYPE"
  | "VALUE_TYPE"
  | "VALUE_RANGE"
  | "NOT_A_FILTER"
  | "NOT_A_MAP"
  | "CLOSED"
  | "FILE"
  | "NETWORK"
  | "RANGE"
  | "CHANGED"
  | "TIMEOUT";

export class RibbonError extends Error {
  constructor(code: ErrorCode, message: string, options?: { hint?: string; cause?: unknown });
  readonly code: ErrorCode;
  /** What to do about it, where somebody can. */
  readonly hint?: string;
}

/** Bytes, a URL, or in Node.js a file's path. */
export type Source = Uint8Array | ArrayBuffer | Blob | Response | URL | string;

export interface FetchOptions {
  /** Milliseconds after which a request is given up; 30000. */
  timeout?: number;
  signal?: AbortSignal;
  headers?: HeadersInit;
  fetch?: typeof globalThis.fetch;
}

export interface RemoteOptions extends FetchOptions {
  /** Bytes of a page: what is asked for is widened to whole ones, which are kept; 64. */
  page?: number;
}

export interface BuildOptions {
  /** The false-positive rate, 2^-32 to 0.5; 0.01. Of maps also 1: any answer for keys that are not there. */
  fpr?: number;
  /** "burr" */
  kind?: "burr" | "homogeneous" | "auto";
  /** The ribbon width; 0 lets the core choose. */
  width?: 0 | 32 | 64 | 128;
  /** The class of all keys; without it, that of the first one. */
  key?: KeyClass;
}

export interface ExactOptions {
  key?: KeyClass;
  width?: 0 | 32 | 64 | 128;
  /** When the universe was looked at; kept with the set. */
  asOf?: Date | string;
}

export type ValueType = "text" | "boolean" | "smallint" | "integer" | "bigint" | "date" | "timestamp" | "timestamptz";
export type Value = string | boolean | number | bigint | null;

export interface MapBuildOptions extends BuildOptions {
  kind?: "burr";
  /** The type of all values; without it, the one that fits them. */
  value?: ValueType;
  /** Values as codes of as many bits each, or of fewer bits the more keys have them; "auto" */
  code?: "auto" | "plain" | "entropy";
  /** To be changed where two keys have one hash by chance; 0. */
  seed?: number;
}

export interface Stats {
  kind: "burr" | "homogeneous" | "exact";
  keyClass: string;
  keys: number;
  fpr: number;
  bitsPerKey: number | null;
  width: number;
  layers: number;
  slots: number;
  emptySlots: number;
  bumpedKeys: number;
  bytes: number;
  /** of maps */
  valueBits?: number;
  code?: "plain" | "entropy";
  /** of maps and exact sets */
  seed?: number;
  /** of exact sets: it is right about so many keys */
  universe?: number;
  asOf?: string | null;
}

declare class Opened {
  protected constructor();
  /** The exact number of keys. */
  readonly size: number;
  readonly fpr: number;
  readonly keyClass: string;
  readonly stats: Stats;
  /** A copy of its bytes, the same as the server has. */
  toBytes(): Uint8Array;
  /** Look at all bytes: true, or a RibbonError with code DAMAGED. */
  check(): Promise<true>;
  /** Free its memory now. */
  close(): void;
}

/** A filter: is this key in the set? No is certain; yes is wrong for non-members at the rate fpr. */
export class Filter extends Opened {
  private constructor();
  static open(source: Source, options?: FetchOptions): Promise<Filter>;
  /** An exact set: no wrong answer for any of these keys, which are its universe. */
  static buildExact(
    members: Iterable<KeyValue | null>,
    others: Iterable<KeyValue | null>,
    options?: ExactOptions,
  ): Promise<Filter>;
  static openRemote(url: string | URL, options?: RemoteOptions): Promise<RemoteFilter>;
  static fromBytes(bytes: Uint8Array): Promise<Filter>;
  static build(keys: Iterable<KeyValue | null>, options?: BuildOptions): Promise<Filter>;
  has(key: KeyValue): boolean;
  /** 1 for each key that is in the set. */
  hasMany(keys: ArrayLike<KeyValue> | Iterable<KeyValue>): Uint8Array;
  /** A smaller filter of the same keys at a higher rate. */
  shrink(fpr: number): Promise<Filter>;
}

/** A map: the value a key was built with; undefined for keys that are surely not there. */
export class RibbonMap<V extends Value | Date = Value> extends Opened {
  private constructor();
  static open<V extends Value = Value>(source: Source, options?: FetchOptions): Promise<RibbonMap<V>>;
  static openRemote<V extends Value = Value>(url: string | URL, options?: RemoteOptions): Promise<RemoteMap<V>>;
  static fromBytes<V extends Value = Value>(bytes: Uint8Array): Promise<RibbonMap<V>>;
  static build(
    entries: Iterable<readonly [KeyValue | null, Value | Date]>,
    options?: MapBuildOptions,
  ): Promise<RibbonMap>;
  readonly valueType: string;
  get(key: KeyValue): V | undefined;
  getMany(keys: ArrayLike<KeyValue> | Iterable<KeyValue>): (V | undefined)[];
  has(key: KeyValue): boolean;
}

declare class Remote {
  protected constructor();
  readonly size: number;
  readonly fpr: number;
  readonly keyClass: string;
  readonly stats: Stats;
  /** Requests so far, and the bytes that they have brought. */
  readonly traffic: { requests: number; bytes: number };
}

/** A filter on a server, asked by range requests. */
export class RemoteFilter extends Remote {
  private constructor();
  static open(url: string | URL, options?: RemoteOptions): Promise<RemoteFilter>;
  has(key: KeyValue): Promise<boolean>;
  hasMany(keys: Iterable<KeyValue>): Promise<Uint8Array>;
}

/** A map on a server, asked by range requests. */
export class RemoteMap<V extends Value = Value> extends Remote {
  private constructor();
  static open(url: string | URL, options?: RemoteOptions): Promise<RemoteMap>;
  get(key: KeyValue): Promise<V | undefined>;
  getMany(keys: Iterable<KeyValue>): Promise<(V | undefined)[]>;
  has(key: KeyValue): Promise<boolean>;
}

/** The bytes that a filter of so many keys can be expected to take. */
export function expectedBytes(keys: number, options?: Omit<BuildOptions, "key">): Promise<number>;

type ModuleSource = WebAssembly.Module | ArrayBuffer | Uint8Array | URL | string;

/** Take the WebAssembly modules from elsewhere, before anything else is called. */
export function setModules(modules: {
  probe?: ModuleSource | (() => ModuleSource | Promise<ModuleSource>);
  build?: ModuleSource | (() => ModuleSource | Promise<ModuleSource>);
}): void;
