import { isEncodedText } from '../../catalog/encoded-text.ts'
import type { ProductOf } from '../../catalog/endpoints/endpoint.ts'
import type { Clock } from '../../core/time/clock.ts'
import { recordCalibration } from '../../products/record/calibration.ts'
import { record } from '../../products/record/record.ts'
import type { RecordServices } from '../../products/record/services.ts'
import type { RecordKeeper } from '../../record/keeper.ts'
import type { PublicHead } from '../../record/log/signed-head.ts'

export type Ask = (product: ProductOf<RecordServices>, params?: object) => Promise<unknown>
type World = { clock: Clock; keeper: Pick<RecordKeeper, 'reader'> }
export const servicesOf = ({ clock, keeper }: World): RecordServices => ({
  clock,
  record: keeper.reader,
  sourceOf: (source) => `sandbox:${source}`,
})

/** As over the wire: checked by its schema, encoded and parsed again. */
export function askOf(world: World): Ask {
  const services = servicesOf(world)
  return async (product, params = {}) => {
    const made = await product.handle(services, product.params.parse(params))
    return JSON.parse(
      JSON.stringify(product.response.parse(isEncodedText(made) ? JSON.parse(made.text) : made)),
    )
  }
}

export type Head = PublicHead
export type LeafOfRecord = { kind: string; id: string; coin: string; window_start: number } & Record<
  string,
  unknown
>
export type Page = {
  key_id: string
  former_keys?: unknown[] | undefined
  head: Head
  totals: Record<string, number>
  next: number | null
  entries: { index: number; leaf: LeafOfRecord }[]
  heads: Head[]
  anchors: { tree_size: number; root_hash: string; tx: string }[]
}
export type Figures = {
  tree_size: number
  overall: Record<string, unknown>
  coins: Record<string, unknown>[]
}

/** Everything that somebody who checks the record would fetch, in that order. */
export async function fetchAll(ask: Ask, limit = 1_000): Promise<[Figures, ...Page[]]> {
  const replies: [Figures, ...Page[]] = [(await ask(recordCalibration)) as Figures]
  for (let from: number | null = 0; from !== null; ) {
    const page: Page = (await ask(record, { from, limit })) as Page
    replies.push(page)
    from = page.next
  }
  return replies
}
