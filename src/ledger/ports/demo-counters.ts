/** So many calls a day for whom they are counted: a client, a wallet, all of them together. */
export type CallLimit = readonly [key: string, limit: number]

/** `used`: what each key has used now, in the order of the limits. */
export type Taken = { isTaken: boolean; used: readonly number[] }

/** Free calls used, by UTC day number and by whom they are counted for. Several processes may share them. */
export type DemoCounters = {
  /** Everybody who has used a call that day. */
  load(day: number): Promise<ReadonlyMap<string, number>>
  /** In the order of the keys. */
  used(day: number, keys: readonly string[]): Promise<readonly number[]>
  /**
   * One call for each of the keys, or for none of them where one has reached its limit, whoever else takes at the same
   * moment. Durable when it resolves. With the first call of a day those before yesterday are forgotten: clocks of
   * several processes may differ at midnight.
   */
  take(day: number, limits: readonly CallLimit[]): Promise<Taken>
  /** Nothing falls below zero, and no other day is touched. */
  giveBack(day: number, keys: readonly string[]): Promise<void>
}
