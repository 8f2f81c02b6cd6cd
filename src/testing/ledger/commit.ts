/**
 * When and whether a write takes effect. A simulator can crash before `apply` (nothing is written) or after it (written,
 * but the caller never learns of it). `apply` must run at most once, completely, and in the order of the calls.
 */
export type Commit = <T>(apply: () => T) => Promise<T>
