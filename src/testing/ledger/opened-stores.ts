import type { Store } from '../../ledger/ports/store.ts'

/** What the contract suites get to work with; every store is closed when its test ends. */
export type OpenedStores = {
  open(): Promise<Store>
  /** Two stores on the same data, as two processes. */
  openTwice(): Promise<[Store, Store]>
  /** `restarted` closes the store and opens its data again. */
  restart(): Promise<{ store: Store; restarted(): Promise<Store> }>
} & Traits

/** In what stores may differ. */
export type Traits = {
  /** Claims live in memory: no other process sees them, and none survives its process. */
  holdsClaims: boolean
  /** Of calls that nobody waits for in between, the first one comes first. */
  keepsOrder: boolean
  /** Several processes may have it at once: what one takes, no other one gets. */
  isShared: boolean
}
