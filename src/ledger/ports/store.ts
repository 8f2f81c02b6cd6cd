import type { BotBook } from './bot-book.ts'
import type { DemoCounters } from './demo-counters.ts'
import type { FinalityBook } from './finality-book.ts'
import type { HintBook } from './hint-book.ts'
import type { IdentityBook } from './ledger-identity.ts'
import type { OperatorBook } from './operator-book.ts'
import type { PageViewLog } from './page-view-log.ts'
import type { PaperBook } from './paper-book.ts'
import type { PaymentLedger } from './payment-book-queries.ts'
import type { RecordBook } from './record-book.ts'
import type { SignInBook } from './sign-in-book.ts'
import type { UptimeBook } from './uptime-book.ts'
import type { UsageLog } from './usage-log.ts'
import type { WatercoolerBook } from './watercooler-book.ts'

/** What must survive a power cut. Every adapter runs the same contract suite. */
export type Store = {
  demo: DemoCounters
  payments: PaymentLedger
  finality: FinalityBook
  hints: HintBook
  usage: UsageLog
  record: RecordBook
  identity: IdentityBook
  bot: BotBook
  paper: PaperBook
  operator: OperatorBook
  signIn: SignInBook
  watercooler: WatercoolerBook
  pageViews: PageViewLog
  uptime: UptimeBook
  /** Resolves when the store answers. */
  ping(): Promise<void>
  /** Saves what is pending, then closes. */
  close(): Promise<void>
}
