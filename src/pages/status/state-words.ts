import type { z } from 'zod'
import { PROVIDERS } from '../../config/providers.ts'
import type { Status } from '../../products/service/status.ts'

type Part = z.output<typeof Status>['parts'][number]

/** What a visitor notices while a part is not well. What a check found, in its own words, stands behind a click. */
const NOTICED: Readonly<Record<string, string>> = {
  prices: 'Prices that are too old are not sold: such calls are refused and cost nothing',
  oracle:
    'Without its price no window can be opened or closed: what rests on it is refused and costs nothing',
  signals: 'Signals without fresh data behind them are not sold: such calls are refused and cost nothing',
  record: 'New entries of the track record come late; what is in it stays',
  store: 'Nothing can be sold, since nothing could be written down',
  disk: 'Nothing can be sold while nothing can be written',
  facilitators: 'Payments take longer or are refused; a refused payment costs nothing',
  nodes: 'It takes longer until we know whether a payment went through; nobody is charged twice',
  polymarket: 'Odds of some five-minute markets are missing; what needs them is refused and costs nothing',
  bot: 'Our own bot is held up; nothing that is sold depends on it',
  history: 'Our own notes have a gap; nothing that is sold depends on them',
}
const OF_PROVIDER = 'What is made of its data is refused while it is missing, and costs nothing'
const OF_OTHERS = 'What rests on it is refused while it fails, and costs nothing'
const NOBODY_ASKED = 'Nobody has needed it lately, so nobody knows'

/** Undefined where all is well. */
export function stateWords({ name, status }: Pick<Part, 'name' | 'status'>): string | undefined {
  if (status === 'ok') return undefined
  if (status === 'idle') return NOBODY_ASKED
  if (Object.hasOwn(NOTICED, name)) return NOTICED[name]
  return Object.hasOwn(PROVIDERS, name) ? OF_PROVIDER : OF_OTHERS
}
