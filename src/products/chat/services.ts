import type { Mode } from '../../config/variables/variable.ts'
import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Writer } from '../../intel/writer/writer.ts'

/** Something that can be called, as the chat may tell it. */
export type Offer = {
  id: string
  method: string
  /** Tag of its group. */
  group: string
  path: string
  url: string
  /** The same for a coin; there only where the address names one. */
  urlOfCoin?: (coin: Coin) => string
  summary: string
  /** What its group is about, and what it says of itself: for finding it. */
  about: string
  /** `$0.012`; undefined: free. */
  price: string | undefined
}

/** What the chat knows about the service itself: words and links of ours, known at start. */
export type ChatShop = {
  name: string
  mode: Mode
  summary: string
  /** Of simulated data or money; empty where both are real. */
  notice: string
  contactEmail: string
  demoCallsPerDay: number
  networks: readonly string[]
  /** What holding the project token brings, by tier. */
  holderTerms: string
  /** Everything that anybody may call and that has data, paid and free. */
  offers: readonly Offer[]
  links: { pricing: string; quickstart: string; docs: string } & Partial<
    Record<'mcp' | 'a2a' | 'challenge' | 'receipts', string | undefined>
  >
}

export type ChatServices = {
  clock: Clock
  writer: Writer
  shop: ChatShop
  /** The reply of a free endpoint as everybody gets it: the chat has no other numbers. */
  preview(id: string): Promise<unknown>
  sourceOf(source: string): string
}
