import type { Store } from '../../ports/store.ts'
import { createPostgresBotBook } from '../bot/bot-book.ts'
import { createPostgresPaperBook } from '../bot/paper-book.ts'
import type { Database } from '../database.ts'
import { createPostgresRecordBook } from '../record/record-book.ts'
import { createPostgresUptimeBook } from '../uptime/uptime-book.ts'
import { fenceDatabase } from './fenced-database.ts'
import type { Leadership } from './leadership.ts'

export type LeaderBooks = Pick<Store, 'record' | 'bot' | 'paper' | 'uptime'>

/** What only a leader writes. Switches of the bot are not among it: the operator may throw them in any process. */
const WRITES = {
  record: ['append', 'addAnchor'],
  bot: [
    ...['addDecision', 'planOrder', 'nameOrder', 'noteAccepted', 'putFills', 'closeOrder'],
    ...['addResolution', 'settle', 'planRedemption', 'redeemed'],
  ],
  paper: ['add', 'pay'],
  uptime: ['save'],
} as const

/** Everybody reads these books; what changes them is written in the term of a leader, or not at all. */
export function createLeaderBooks(database: Database, leader: Pick<Leadership, 'term'>): LeaderBooks {
  const read = booksOn(database)
  const written = booksOn(fenceDatabase(database, leader))
  const join = <Name extends keyof LeaderBooks>(name: Name): LeaderBooks[Name] => {
    const names: readonly string[] = WRITES[name]
    const writes = Object.entries(written[name]).filter(([method]) => names.includes(method))
    return { ...read[name], ...Object.fromEntries(writes) }
  }
  return { record: join('record'), bot: join('bot'), paper: join('paper'), uptime: join('uptime') }
}

const booksOn = (database: Database): LeaderBooks => ({
  record: createPostgresRecordBook(database),
  bot: createPostgresBotBook(database),
  paper: createPostgresPaperBook(database),
  uptime: createPostgresUptimeBook(database),
})
