import { z } from 'zod'
import type { ResultsReader } from '../../bot/results/results.ts'
import { NO_SUMMARY } from '../../bot/results/summary.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'
import { isoTime, Note } from '../fields.ts'
import type { BotServices } from './services.ts'

/** Where all figures about trades come from. */
export const RESULTS_SOURCE = 'bot_ledger'

export const AccountKind = z
  .enum(['paper', 'real'])
  .describe(
    'paper: simulated money, filled against the live book with fees; real: an account at the venue. In the sandbox the venue is simulated too, and source says so',
  )
export type AccountKind = z.infer<typeof AccountKind>

export const Account = z.object({
  account: AccountKind,
  account_note: Note.describe('Why it is this account, and where the other one is counted'),
})

const KINDS = { paper: 'paper', polymarket: 'real' } as const satisfies Record<BrokerName, AccountKind>
export const kindOf = (broker: BrokerName): AccountKind => KINDS[broker]
export const otherThan = (broker: BrokerName): BrokerName => (broker === 'paper' ? 'polymarket' : 'paper')

type Notes = Readonly<Record<BrokerName, string>>
const NOTES: Notes = {
  paper:
    'the bot has not traded with real money; trades on paper are filled against the live book with its fees',
  polymarket:
    'the bot has traded with real money: those trades are shown, and trades on paper are not in them',
}
const SANDBOX_NOTES: Notes = {
  paper:
    'the bot has not traded with its account at the simulated venue; trades on paper are filled against the book there with its fees',
  polymarket:
    'the bot has traded with an account at the simulated venue, whose money is simulated too: those trades are shown, and trades on paper are not in them',
}

export function toAccount(
  { sourceOf }: Pick<BotServices, 'sourceOf'>,
  broker: BrokerName,
): z.input<typeof Account> {
  const isSimulated = sourceOf(RESULTS_SOURCE) !== RESULTS_SOURCE
  return { account: kindOf(broker), account_note: (isSimulated ? SANDBOX_NOTES : NOTES)[broker] }
}

/** Where no bot has a ledger nothing was traded. */
const NO_RESULTS: Omit<ResultsReader, 'asOfMs'> = {
  total: () => NO_SUMMARY,
  today: () => NO_SUMMARY,
  recent: () => [],
  curve: () => [],
  leading: () => 'paper',
  version: 0,
}

export type HasResults = Pick<BotServices, 'clock'> & { results?: ResultsReader | undefined }

export function resultsOf({ results, clock }: HasResults): ResultsReader {
  return results ?? { ...NO_RESULTS, asOfMs: clock.now() }
}

/** The figures' own time. */
export const resultsTime = (services: HasResults): string => isoTime(resultsOf(services).asOfMs)

/** Differs whenever figures would: with a trade, and with the day. */
export function resultChanges({ results, clock }: HasResults): unknown[] {
  return [results, results?.version, Math.floor(clock.now() / DAY_MS)]
}
