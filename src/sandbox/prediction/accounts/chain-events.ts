import type { Custody, CustodyEvent } from '../custody.ts'
import type { PredictionVenue } from '../venue.ts'
import type { AccountStore } from './account-store.ts'
import type { Resolutions } from './resolutions.ts'
import type { AccountEvent } from './rows.ts'

type Input = {
  venue: Pick<PredictionVenue, 'findByCondition'>
  custody: Pick<Custody, 'eventsAfter'>
  store: AccountStore
  resolutions: Pick<Resolutions, 'note'>
  nextSeq: () => number
}

const READ_UNTIL = 'chain-events'

/** What wallets did on the chain, each deed once, also what they did while nobody was here to hear of it. */
export function createChainEvents({ venue, custody, store, resolutions, nextSeq }: Input) {
  const note = (event: CustodyEvent) => {
    if (store.events.get(event.id)) return
    const market = venue.findByCondition(event.conditionId)
    if (market) resolutions.note(market)
    store.events.put(toEventRow(event, nextSeq()))
  }
  return {
    note,
    async readMissed() {
      const { events, head } = await custody.eventsAfter(store.marks.get(READ_UNTIL)?.block ?? 0)
      for (const event of events) note(event)
      store.marks.put({ id: READ_UNTIL, block: head })
    },
  }
}

function toEventRow(event: CustodyEvent, seq: number): AccountEvent {
  const { id, block, type, wallet, conditionId, tokenId, shares, collateral, transactionHash, atMs } = event
  return {
    id,
    seq,
    type,
    wallet,
    conditionId,
    ...(tokenId !== undefined && { tokenId: tokenId.toString() }),
    sharesE6: shares,
    collateralE6: collateral,
    transactionHash,
    block,
    atMs,
  }
}
