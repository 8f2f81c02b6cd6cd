/** A closed window, as the public reply or the live dashboard tells it. */
export type Call = {
  window_start: number
  window_end: number
  direction: string
  confidence: number
  abstain: boolean
  outcome: string
  hit: boolean | null
  record_path: string
  open_price_usd?: number | null
  close_price_usd?: number | null
}
export type Preview = {
  direction: string
  tone: string
  window: string
  said: string
  outcome: string
  price: string | undefined
  record: string
}
export function previewOf(call: Call): Preview
