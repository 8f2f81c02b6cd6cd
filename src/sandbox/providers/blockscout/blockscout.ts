import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { DRAINER } from '../../tokens/known-addresses.ts'
import type { FindChainWallet } from '../../tokens/on-chain/chain-wallets.ts'
import type { SimWallet, TokenWorld } from '../../tokens/token-world.ts'
import { NOBODY, type ProviderServer } from '../provider-server.ts'
import { json, ok, type Reply, readOnly } from '../reply.ts'
import { olderApi, ownerIn } from './older-api.ts'
import {
  addressRow,
  callRow,
  holderRow,
  holdingRow,
  tokenRow,
  transactionRow,
  transferRow,
  type View,
} from './rows.ts'
import { createViews } from './views.ts'

const PAGE_ROWS = 50
const ADDRESS = /^0x[0-9a-f]{40}$/
const PATH = /^\/api\/v2\/(tokens|addresses)\/([^/]+)(?:\/([a-z-]+))?$/
const NOT_FOUND = json(404, { message: 'Not found' })
const MALFORMED = json(422, { message: 'Invalid parameter(s)' })

/** The explorer of the simulated Base. */
export function createBlockscoutServer(
  market: Pick<SimulatedMarket, 'nowMs'>,
  tokens: TokenWorld | undefined,
  /** Undefined while no local chain runs. */
  chain: () => FindChainWallet | undefined = () => undefined,
): ProviderServer {
  if (!tokens) return NOBODY
  const viewFor = createViews(tokens, chain)
  const rest = readOnly(async (path, query) => {
    const nowMs = market.nowMs()
    if (path === '/api') return olderApi(await viewFor(ownerIn(query), nowMs), query)
    const [, kind = '', given = '', what = ''] = PATH.exec(path) ?? []
    const answer = ANSWERS[`${kind}/${what}`]
    if (!answer) return undefined
    const address = given.toLowerCase()
    return ADDRESS.test(address) ? answer(await viewFor(address, nowMs), address) : MALFORMED
  })
  return { ...NOBODY, rest }
}

const ANSWERS: Readonly<Record<string, (view: View, address: string) => Reply>> = {
  'tokens/'(view, address) {
    const token = view.tokens.token(address)
    return token ? ok(tokenRow(view, token)) : NOT_FOUND
  },
  'tokens/holders'(view, address) {
    if (!view.tokens.token(address)) return NOT_FOUND
    return page(view.tokens.holders(address, view.nowMs).map((holder) => holderRow(view, holder)))
  },
  'addresses/'(view, address) {
    const [wallet, token] = [view.people.wallet(address), view.tokens.token(address)]
    const isThere = wallet || token || view.tokens.contract(address)
    return isThere ? ok(addressRow(view, address, wallet, token)) : NOT_FOUND
  },
  'addresses/counters': ({ people, nowMs }, address) =>
    ok({
      gas_usage_count: '0',
      token_transfers_count: String(people.transfersOf(address, nowMs, PAGE_ROWS).length),
      transactions_count: String(people.wallet(address)?.transactions ?? 0),
      validations_count: '0',
    }),
  'addresses/tokens'(view, address) {
    const holdings = view.people.wallet(address)?.holdings ?? []
    return page(
      holdings.flatMap(({ token, amount }) => {
        const found = amount > 0n ? view.tokens.token(token) : undefined
        return found ? [holdingRow(view, found, amount)] : []
      }),
    )
  },
  'addresses/token-transfers'(view, address) {
    return page(
      view.people.transfersOf(address, view.nowMs, PAGE_ROWS + 1).flatMap((transfer, i) => {
        const token = view.tokens.token(transfer.token)
        return token ? [transferRow(view, transfer, token, i)] : []
      }),
    )
  },
  'addresses/transactions'(view, address) {
    const wallet = view.people.wallet(address)
    return page(wallet ? sentBy(view, wallet) : [])
  },
}

/** One more than a page has, newest first: transfers of its own, and before them calls that nothing else is known of. */
function sentBy(view: View, wallet: SimWallet): readonly unknown[] {
  const { address, transactions, firstSeenMs } = wallet
  const own = view.people
    .transfersOf(address, view.nowMs, PAGE_ROWS + 1)
    // What a drainer took was not sent by its victim.
    .filter(({ from, to }) => from === address && to !== DRAINER)
    .slice(0, transactions)
  const others = transactions - own.length
  const untilMs = own.at(-1)?.atMs ?? view.nowMs
  const shown = Math.min(others, PAGE_ROWS + 1 - own.length)
  return [
    ...own.map((transfer, i) => transactionRow(view, transfer, transactions - 1 - i)),
    ...Array.from({ length: shown }, (_, i) => {
      const nonce = others - 1 - i
      // Spread over its life.
      return callRow(
        view,
        wallet,
        nonce,
        firstSeenMs + Math.floor(((untilMs - firstSeenMs) * nonce) / others),
      )
    }),
  ]
}

const page = (items: readonly unknown[]): Reply =>
  ok({
    items: items.slice(0, PAGE_ROWS),
    next_page_params: items.length > PAGE_ROWS ? { items_count: PAGE_ROWS } : null,
  })
