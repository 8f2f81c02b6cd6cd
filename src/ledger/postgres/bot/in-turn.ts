import type { Database, Query } from '../database.ts'

const TAKE_TURN = 'LOCK TABLE bot_turn IN EXCLUSIVE MODE'

/**
 * One at a time, of all processes: what such work has looked at stays so until it is written. The bot writes a few rows
 * a minute, so nobody waits for long.
 */
export const inTurn = <T>({ transaction }: Database, work: (query: Query) => Promise<T>): Promise<T> =>
  transaction(async ({ query }) => {
    await query(TAKE_TURN)
    return work(query)
  })
