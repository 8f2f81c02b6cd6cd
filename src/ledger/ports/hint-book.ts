/** Transactions that facilitators named for payments that are not decided yet. */
export type HintBook = {
  /** Of a payment that is settling; the last one named is kept. */
  keep(key: string, transaction: string): Promise<void>
  /** Of payments that are still settling, by key; the others are forgotten. */
  load(): Promise<ReadonlyMap<string, string>>
}
