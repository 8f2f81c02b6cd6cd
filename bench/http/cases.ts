/** What is asked of our service. `status` is what must come back. */
export type Case = { id: CaseId; path: string; status: number; about: string }
export type CaseId = 'challenge' | 'demo' | 'market' | 'document' | 'unchanged'

export const CASES: readonly Case[] = [
  { id: 'challenge', path: '/price/BTC?demo=0', status: 402, about: 'unpaid call of a paid product' },
  { id: 'demo', path: '/price/BTC', status: 200, about: 'free daily call of a paid product' },
  { id: 'market', path: '/btc-resolve?history=60', status: 200, about: 'free market data' },
  { id: 'document', path: '/pricing', status: 200, about: 'document rendered at start' },
  { id: 'unchanged', path: '/pricing', status: 304, about: 'the same document, known to the caller' },
]
