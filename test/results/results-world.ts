import type { TradeRow } from '../../src/ledger/ports/bot-book.ts'
import { botGroup } from '../../src/products/bot/group.ts'
import type { LiveServices } from '../../src/products/bot/live/live.ts'
import type { BotServices } from '../../src/products/bot/services.ts'
import { type Answer, serveGroup } from '../../src/testing/http/serve-groups.ts'
import { botServices, resultsOver } from '../../src/testing/products/hand-made-bot.ts'
import { createRecordWorld, FIRST_S } from '../../src/testing/record/record-world.ts'

export { FIRST_S }

const DEMO_CALLS = 1_000_000

/** The products over HTTP behind the real gate, with a real record on the same clock that stands still. */
export async function openResults() {
  const record = createRecordWorld()
  const { clock } = record
  await record.keeper.start()
  const made: BotServices & LiveServices = { ...botServices(clock), record: record.keeper.reader }
  const services = { ...made }
  const served = await serveGroup(botGroup, services, { clock, demoCalls: DEMO_CALLS })
  const send = (target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    served.ask(method, target, headers)
  return {
    clock,
    record,
    services,
    send,
    async ask(target: string, headers: Record<string, string> = {}) {
      const { status, headers: sent, body } = await send(target, headers)
      return { status, headers: sent, json: body === '' ? undefined : JSON.parse(body) }
    },
    async trade(trades: readonly TradeRow[]) {
      const results = await resultsOver(clock, trades)
      services.results = results
      return results
    },
    reset: () => void Object.assign(services, made),
    close: served.close,
  }
}
export type ResultsWorld = Awaited<ReturnType<typeof openResults>>
