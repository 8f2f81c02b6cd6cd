/**
 * Our service with its real path of a payment: local checks, claim, verify, work, store, settle, chain, record, deliver,
 * on the durable ledger and with the request log. Put together as `src/app` does it, but for the facilitator, the referee
 * beside it, and a market that one book holds still.
 */
import { randomBytes } from 'node:crypto'
import { createCallCounts } from '../../../src/access/call-counts.ts'
import { createClientKey, createPeerOf, customerOf } from '../../../src/access/client-key.ts'
import { createDemoBudget } from '../../../src/access/demo-budget.ts'
import { createHashedClient } from '../../../src/access/hashed-client.ts'
import { createRateCounters } from '../../../src/access/rate-counters.ts'
import { accountGroup } from '../../../src/account/group.ts'
import { createOperatorAccess } from '../../../src/app/operator-access.ts'
import { protocolGroups } from '../../../src/app/protocols.ts'
import { describeSite } from '../../../src/app/site.ts'
import { createReplies } from '../../../src/catalog/encoded-reply.ts'
import { bindGroup, joinHandlers } from '../../../src/catalog/handlers.ts'
import { createPaidMint } from '../../../src/catalog/paid.ts'
import { readConfig } from '../../../src/config/config.ts'
import { createLog } from '../../../src/core/log.ts'
import { systemClock as clock } from '../../../src/core/time/clock.ts'
import { createCutOffs } from '../../../src/http/connection/cut-offs.ts'
import { choosePort, listen } from '../../../src/http/listen.ts'
import { createEventStreams } from '../../../src/http/respond/event-streams.ts'
import { createHttpServer, serveCatalog } from '../../../src/http/server.ts'
import { ledgerPath } from '../../../src/ledger/files/ledger-file.ts'
import { holdClaims } from '../../../src/ledger/held-claims.ts'
import { openSqliteStore } from '../../../src/ledger/sqlite/store.ts'
import { createMarket } from '../../../src/market/market.ts'
import { operatorGroups } from '../../../src/operator/groups.ts'
import { pageGroup } from '../../../src/pages/group.ts'
import { createChallenges } from '../../../src/payments/challenge/challenge.ts'
import { createListings, withListings } from '../../../src/payments/challenge/listing.ts'
import { createTerms } from '../../../src/payments/challenge/terms.ts'
import { createFacilitators } from '../../../src/payments/facilitators/facilitators.ts'
import { createInProcessMember } from '../../../src/payments/facilitators/members/in-process-member.ts'
import { createBounds } from '../../../src/payments/gate/bounds/bounds.ts'
import { createOpenPayments } from '../../../src/payments/gate/bounds/open-payments.ts'
import { createCollect } from '../../../src/payments/gate/collect.ts'
import { createGate } from '../../../src/payments/gate/gate.ts'
import { createHandedOut } from '../../../src/payments/gate/handed-out.ts'
import { createLeases } from '../../../src/payments/gate/leases.ts'
import { createPurchaseIds } from '../../../src/payments/gate/purchase-id.ts'
import { createSell } from '../../../src/payments/gate/sell.ts'
import { createSettleHints } from '../../../src/payments/gate/settle-hints.ts'
import { openSigners } from '../../../src/payments/read/evm/signers/signers.ts'
import { createReadPayment } from '../../../src/payments/read/read-payment.ts'
import { createOffers } from '../../../src/payments/receipts/offers.ts'
import { createReceipts } from '../../../src/payments/receipts/receipts.ts'
import { openServiceKey } from '../../../src/payments/receipts/service-key.ts'
import { productGroupsOf } from '../../../src/products/groups.ts'
import { marketGroup } from '../../../src/products/market/group.ts'
import { openSandboxKeys } from '../../../src/sandbox/keys.ts'
import { readServerJob } from '../job.ts'
import { openFacilitator } from './open-facilitator.ts'

const BOOK_EVERY_MS = 1_000
const HOST = '127.0.0.1'

const job = readServerJob()
const config = readConfig({ PORT: '0', TOLLBOOK_DATA_DIR: job.dir })
const log = createLog({ level: config.logLevel })
const bootId = randomBytes(6).toString('hex')
const key = openServiceKey(job.dir)
const store = openSqliteStore(ledgerPath(job.dir), { clock })
const market = openQuietMarket()
const unused = () => Promise.reject(new Error('not a part of this benchmark'))

const { client, referee } = await openFacilitator(job, log)
const members = [createInProcessMember(job.facilitator, client)]
const facilitators = createFacilitators({ clock, log, members, random: Math.random })
await facilitators.refresh()
const payTo = openSandboxKeys(job.dir)
const { feePayerOf, mayPayFees } = facilitators
const terms = createTerms({ evm: payTo.evm, svm: payTo.svm.address }, feePayerOf, mayPayFees)
const port = await choosePort(HOST, 0)
const site = describeSite({ config, port, money: { wallets: undefined }, payment: terms, clock })
const { mint, redeem } = createPaidMint()
const handlers = joinHandlers([
  bindGroup(marketGroup, { clock, market, sourceOf: (source) => `sandbox:${source}` }),
  ...[...productGroupsOf(config.site), accountGroup, pageGroup, ...protocolGroups, ...operatorGroups]
    .filter((group) => group !== marketGroup)
    .map((group) => bindGroup<never>(group, {} as never)),
])
const replies = createReplies(handlers.products, redeem)

const counters = createRateCounters({ clock })
const countCutOff = createCutOffs({ clock, log })
const server = createHttpServer({ clock, peerOf: createPeerOf([]), countCutOff })
const clientKey = createClientKey([])
serveCatalog(server, site.catalog, {
  clock,
  site,
  replies,
  gate: createGate({
    clock,
    mint,
    counters,
    challenges: createChallenges({ ...site, clock, offers: createOffers({ key, clock, mode: site.mode }) }),
    demo: createDemoBudget({
      counts: createCallCounts({ clock, counters: store.demo }),
      ...config.demo,
    }),
    readPayment: createReadPayment({
      clock,
      terms,
      signatures: { holds: unused },
      findSigner: openSigners({
        clock,
        onFailure: (err) => log.warn({ err }, 'signers are recovered in the main thread'),
      }).find,
      baseUrl: site.baseUrl,
    }),
    handedOut: createHandedOut({ customerOf }),
    bounds: openBounds(),
  }),
  clientKey,
  handlers,
  checks: {
    operator: createOperatorAccess({ config, clock, log, clientKey, book: store.operator }),
    wallet: unused,
    payer: unused,
  },
  counters,
  streams: createEventStreams({ clock, log }),
  countCutOff,
  log,
  bootId,
  usage: store.usage,
  hashedClient: createHashedClient(),
})
await listen(server, HOST, port)
process.stdout.write(`ready ${site.baseUrl} \n`)
// So that a profile is written; a chain, where there is one, ends the process itself.
if (job.facilitator === 'instant') process.once('SIGTERM', () => process.exit(0))

function openBounds() {
  const open = createOpenPayments({ clock })
  const receipts = createReceipts({ key, baseUrl: site.baseUrl, mode: site.mode })
  const book = holdClaims(store.payments)
  const ports = {
    clock,
    log,
    book,
    leases: createLeases({ clock, log, book }),
    receipts,
    chain: referee,
    hints: createSettleHints(),
    open,
    facilitators: withListings(facilitators, createListings(site)),
  }
  const random = createPurchaseIds(clock)
  const sell = createSell({ ...ports, random, collect: createCollect(ports) })
  return createBounds({ clock, counters, open, sell, customerOf })
}

/** The same price once a second: fresh enough to be sold, and cheap to follow. */
function openQuietMarket() {
  const market = createMarket({ clock })
  const say = () =>
    market.sink.book({
      venue: 'coinbase',
      coin: 'BTC',
      bids: [[99_999, 1]],
      asks: [[100_001, 1]],
      atMs: clock.now(),
    })
  say()
  clock.every(BOOK_EVERY_MS, say)
  return market
}
