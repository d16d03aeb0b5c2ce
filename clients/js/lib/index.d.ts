// Types of ribbonfilter: ribbon filters and maps of PostgreSQL's extension ribbon.
//
// For TypeScript 4.7 and later, with and without the library "dom": what is of the DOM is told by what it can do.

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

/** What else libribbon and the server call two of them. */
type KeyName = KeyClass | "boolean" | "char(n)";

export const KEY_CLASSES: Readonly<Record<KeyClass, number>>;

export interface Interval {
  months?: number | bigint | undefined;
  days?: number | bigint | undefined;
  microseconds?: number | bigint | undefined;
}

/** What can be a key: read as one of the filter's class, or refused with code KEY_TYPE or KEY. */
export type KeyValue = string | bigint | number | boolean | ArrayBufferView | ArrayBufferLike | Date | Interval | Key;

/** Many keys: an array, a Set, what a generator gives, or what is like an array. */
type Keys<K = KeyValue> = ArrayLike<K> | Iterable<K>;

/** Entries of a map. */
type Entries = Iterable<readonly [KeyValue | null, Value | Date]>;

/** A Uint8Array that is not in shared memory, where a compiler tells the two apart. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;

/** A key of a certain class. */
export class Key {
  constructor(value: Exclude<KeyValue, Key>, keyClass: KeyName);
  /** A key of which you make the canonical bytes yourself (docs/canonical.md); of class hash a bigint. */
  static canonical(bytes: Uint8Array | bigint, keyClass: KeyName): Key;
  readonly class: number;
  /** Its canonical bytes; as a bigint, where they are 64 bits. */
  readonly form: bigint | Bytes;
  /** What ribbon_hash has for it. */
  hash(): Promise<bigint>;
  /** What ribbon_shard has for it: a number from 0 to shards - 1. */
  shard(shards: number): Promise<number>;
  toString(): string;
  toJSON(): string;
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
  | "MODULE"
  | "FILE"
  | "NETWORK"
  | "RANGE"
  | "CHANGED"
  | "TIMEOUT";

export class RibbonError extends Error {
  constructor(code: ErrorCode, message: string, options?: { hint?: string; cause?: unknown });
  readonly code: ErrorCode;
  /** What can be done about it, if anything. */
  readonly hint?: string;
}

/** A URL, as an object. */
export interface Address {
  readonly href: string;
  readonly protocol: string;
}

/** Bytes, a Blob, a Response, a URL, in Node.js a file's path; or what structuredClone makes of a filter. */
export type Source =
  | ArrayBufferView
  | ArrayBufferLike
  | { arrayBuffer(): Promise<ArrayBuffer> }
  | Address
  | string
  | { readonly bytes: Uint8Array };

export interface FetchOptions {
  /** Milliseconds after which a request is given up; 30000. */
  timeout?: number | undefined;
  /** An AbortSignal: it rejects with the signal's reason. */
  signal?: {
    readonly aborted: boolean;
    readonly reason?: any;
    addEventListener(type: "abort", listener: () => void): void;
    removeEventListener(type: "abort", listener: () => void): void;
  } | undefined;
  /** Headers, or what they can be made of. */
  headers?:
    | Record<string, string>
    | [string, string][]
    | Iterable<readonly [string, string]>
    | { forEach(report: (value: string, key: string) => void): void }
    | undefined;
  fetch?: ((url: any, init?: any) => Promise<any>) | undefined;
}

export interface RemoteOptions extends FetchOptions {
  /** Bytes of a page: what is asked for is widened to whole ones, which are kept; 64. */
  page?: number | undefined;
}

export interface BuildOptions {
  /** The false-positive rate, 2^-32 to 0.5; 0.01. Of maps also 1: any answer for keys that are not there. */
  fpr?: number | undefined;
  /** "burr" */
  kind?: "burr" | "homogeneous" | "auto" | undefined;
  /** The ribbon width; 0 lets the core choose. */
  width?: 0 | 32 | 64 | 128 | undefined;
  /** The class of all keys; without it, that of the first one. */
  key?: KeyName | undefined;
}

export interface ExactOptions {
  /** The rate at which other keys pass, 2^-32 to 0.5; without it, whatever is smallest. */
  fpr?: number | undefined;
  key?: KeyName | undefined;
  width?: 0 | 32 | 64 | 128 | undefined;
  /** When the universe was looked at; kept with the set. */
  asOf?: Date | string | undefined;
}

export type ValueType = "text" | "boolean" | "smallint" | "integer" | "bigint" | "date" | "timestamp" | "timestamptz";
export type Value = string | boolean | number | bigint | null;

export interface MapBuildOptions<T extends ValueType = ValueType> extends BuildOptions {
  kind?: "burr" | undefined;
  /** The type of all values; without it, the one that fits them. Numbers above 32 bits are bigints, if you say so. */
  value?: T | undefined;
  /** Values as codes of as many bits each, or of fewer bits the more keys have them; "auto" */
  code?: "auto" | "plain" | "entropy" | undefined;
  /** To be changed where two keys have one hash by chance; 0. */
  seed?: number | undefined;
}

/** What values of type V are read as from a map that was built with { value: T }. */
export type Read<V, T extends ValueType | undefined = undefined> =
  | (V extends null ? null : never)
  | (T extends undefined
      ? V extends Date
        ? string
        : V
      : T extends "boolean"
        ? boolean
        : T extends "smallint" | "integer"
          ? number
          : T extends "bigint"
            ? bigint
            : string);

/** What ribbon_stats says on the server. */
export interface Stats {
  kind: "burr" | "homogeneous" | "exact" | "map";
  keyClass: string;
  keys: number;
  fpr: number;
  bitsPerKey: number | null;
  /** The share of the bits beyond the least possible; null if that is none. */
  overhead: number | null;
  ribbonWidth: number;
  /** The same as ribbonWidth. */
  width: number;
  layers: number;
  slots: number;
  emptySlots: number;
  bumpedKeys: number;
  bytes: number;
  formatVersion: number;
  /** of maps */
  valueType?: string;
  valueBits?: number;
  /** How many there are besides null; null for numbers of plain code. */
  distinctValues?: number | null;
  code?: "plain" | "entropy";
  /** of maps and exact sets */
  seed?: number;
  /** of exact sets: it is right about so many keys */
  universe?: number;
  asOf?: string | null;
}

declare class Described {
  protected constructor();
  /** The exact number of keys. */
  readonly size: number;
  readonly fpr: number;
  readonly keyClass: string;
  readonly stats: Stats;
  /** Free its memory now. */
  close(): void;
  /** A line that says what it is. */
  toString(): string;
  toJSON(): string;
}

declare class Opened extends Described {
  /** A copy of its bytes, the same as the server has. */
  toBytes(): Bytes;
  /** The same: what structuredClone and postMessage take along. */
  readonly bytes: Bytes;
  /** Look at all bytes: true, or a RibbonError with code DAMAGED, or CORRUPT where a map's dictionary is. */
  check(): Promise<true>;
}

/** A filter: is this key in the set? No is certain; yes is wrong for non-members at the rate fpr. */
export class Filter extends Opened {
  private constructor();
  static open(source: Source, options?: FetchOptions): Promise<Filter>;
  /** An exact set: no wrong answer for any of these keys, which are its universe; any other passes at the rate fpr. */
  static buildExact(
    members: Keys<KeyValue | null>,
    others: Keys<KeyValue | null>,
    options?: ExactOptions,
  ): Promise<Filter>;
  static openRemote(url: string | Address | { readonly url: string }, options?: RemoteOptions): Promise<RemoteFilter>;
  static fromBytes(bytes: ArrayBufferView | ArrayBufferLike): Promise<Filter>;
  static build(keys: Keys<KeyValue | null>, options?: BuildOptions): Promise<Filter>;
  has(key: KeyValue): boolean;
  /** 1 for each key that is in the set. */
  hasMany(keys: Keys): Bytes;
  /** Of an exact set: null for a key that is newer than its asOf. */
  member(key: KeyValue, time: Date | string): boolean | null;
  /** A smaller filter of the same keys at a higher rate. */
  shrink(fpr: number): Promise<Filter>;
}

/** A map: the value a key was built with; undefined for keys that are surely not there. */
export class RibbonMap<V extends Value = Value> extends Opened {
  private constructor();
  static open<V extends Value = Value>(source: Source, options?: FetchOptions): Promise<RibbonMap<V>>;
  static openRemote<V extends Value = Value>(
    url: string | Address | { readonly url: string },
    options?: RemoteOptions,
  ): Promise<RemoteMap<V>>;
  static fromBytes<V extends Value = Value>(bytes: ArrayBufferView | ArrayBufferLike): Promise<RibbonMap<V>>;
  static build<V, T extends ValueType | undefined = undefined>(
    entries: Iterable<readonly [KeyValue | null, V]> & ([V] extends [Value | Date] ? unknown : Entries),
    options?: MapBuildOptions & { value?: T | undefined },
  ): Promise<RibbonMap<Extract<Read<V, T>, Value>>>;
  readonly valueType: string;
  get(key: KeyValue): V | undefined;
  getMany(keys: Keys): (V | undefined)[];
  has(key: KeyValue): boolean;
}

declare class Remote extends Described {
  /** Requests so far, and the bytes that they have brought. */
  readonly traffic: { requests: number; bytes: number };
  readonly url: string;
}

/** A filter on a server, asked by range requests. */
export class RemoteFilter extends Remote {
  private constructor();
  static open(url: string | Address | { readonly url: string }, options?: RemoteOptions): Promise<RemoteFilter>;
  has(key: KeyValue): Promise<boolean>;
  hasMany(keys: Keys): Promise<Bytes>;
  member(key: KeyValue, time: Date | string): Promise<boolean | null>;
}

/** A map on a server, asked by range requests. */
export class RemoteMap<V extends Value = Value> extends Remote {
  private constructor();
  static open<V extends Value = Value>(
    url: string | Address | { readonly url: string },
    options?: RemoteOptions,
  ): Promise<RemoteMap<V>>;
  readonly valueType: string;
  get(key: KeyValue): Promise<V | undefined>;
  getMany(keys: Keys): Promise<(V | undefined)[]>;
  has(key: KeyValue): Promise<boolean>;
}

/** An answer, or a promise of it, if a part is on a server. */
type Answer<P extends Filter | RemoteFilter, T> = P extends RemoteFilter ? Promise<T> : T;

/** An exact set that later ones correct: a key is a member if an odd number of the parts contain it. */
export class Chain<P extends Filter | RemoteFilter = Filter | RemoteFilter> {
  constructor(parts: Iterable<P>);
  /** The base first. */
  readonly parts: readonly P[];
  readonly keyClass: string;
  /** The sum of the parts' rates, at most 1: a key that none of them was built from passes at about this rate. */
  readonly fpr: number;
  /** That of the last part. */
  readonly asOf: string | null;
  has(key: KeyValue): Answer<P, boolean>;
  /** 1 for each key that is a member. */
  hasMany(keys: Keys): Answer<P, Bytes>;
  /** null for a key that is newer than the last part's asOf. */
  member(key: KeyValue, time: Date | string): Answer<P, boolean | null>;
  /**
   * The next part: an exact set of the keys about which this chain is wrong now.  Give all keys about which the longer
   * chain is to be right.
   */
  delta(
    members: Keys<KeyValue | null>,
    others: Keys<KeyValue | null>,
    options?: ExactOptions,
  ): Promise<Filter>;
  /** A line that says what it is. */
  toString(): string;
  toJSON(): string;
}

/** The bytes that a filter of so many keys can be expected to take. */
export function expectedBytes(keys: number, options?: Omit<BuildOptions, "key">): Promise<number>;

/** A WebAssembly.Module, an import of one, or what Filter.open takes. */
type ModuleSource = object | string;

/** Take the WebAssembly modules from elsewhere, before anything else is called. */
export function setModules(modules: {
  probe?: ModuleSource | (() => ModuleSource | Promise<ModuleSource>);
  build?: ModuleSource | (() => ModuleSource | Promise<ModuleSource>);
}): void;

// What is not exported above is not to be imported either.
export {};
