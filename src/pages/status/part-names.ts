import { PROVIDERS } from '../../config/providers.ts'

const NAMES: Readonly<Record<string, string>> = {
  service: 'The whole service',
  prices: 'Prices',
  oracle: 'Oracle prices',
  signals: 'Signals',
  record: 'Track record',
  store: 'Ledger',
  disk: 'Disk',
  facilitators: 'Payment facilitators',
  usdc: 'Payments in USDC',
  nodes: 'Chain nodes',
  'chain-base': 'Payments on Base',
  'chain-solana': 'Payments on Solana',
  polymarket: 'Five-minute markets',
  bot: 'Trading bot',
  history: 'Market history',
}

/** Its name as part of an id on a page. */
export const idOf = (part: string): string => part.replaceAll(/\W+/g, '-')

/** What a part is called on pages; its own name where it has no other. */
export function partName(part: string): string {
  if (Object.hasOwn(NAMES, part)) return NAMES[part] ?? part
  if (!Object.hasOwn(PROVIDERS, part)) return part
  const { title } = PROVIDERS[part as keyof typeof PROVIDERS]
  return title.charAt(0).toUpperCase() + title.slice(1)
}
