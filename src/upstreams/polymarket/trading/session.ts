import { type ApiKeyCreds, Chain, ClobClient, SignatureTypeV2 } from '@polymarket/clob-client-v2'
import type { Address, Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { describeError } from '../../../core/describe-error.ts'
import { sleep } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { TimeReply } from '../clob/wire.ts'
import { redactorOf } from '../redactor.ts'
import { type ExchangeOrder, hashOrder } from './exchange-order.ts'
import { signOrder } from './sign-order.ts'
import { toExchangeOrder } from './to-exchange-order.ts'
import type { TradeOrder, TradingInput } from './trading.ts'
import { TradingError } from './trading-error.ts'
import { createTransport, MAX_WORDS } from './transport.ts'
import { KeyReply, parseReply } from './wire.ts'

export type CallLimits = { limitMs: number; maxRequests?: number }

/** An account at the venue, through the official client. Loading this file loads that client, and viem. */
export type Session = {
  wallet: Address
  serverTimeMs(): Promise<number>
  /**
   * Lends a client for one call and ends its requests when the time is over. Once a request has left, whatever goes
   * wrong is a `TradingError`.
   */
  call<T>(limits: CallLimits, work: (client: ClobClient) => Promise<T>): Promise<T>
  sign(order: TradeOrder): Promise<{ orderId: Hex; signed: SignedOrder }>
  /** Takes our keys out of a text of the venue. */
  redact(text: string): string
}
export type SignedOrder = Parameters<ClobClient['postOrder']>[0]

/** Calls at the same time; a hung venue must not pile them up. */
const MAX_UNDER_WAY = 20
const TIME_LIMITS = { limitMs: 5 * SECOND_MS }
const CONNECT_LIMITS = { limitMs: 10 * SECOND_MS, maxRequests: 3 }

export async function openSession(input: TradingInput): Promise<Session> {
  const { clock, depositWallet: wallet } = input
  const owner = privateKeyToAccount(input.ownerKey.reveal() as Hex)
  let creds: ApiKeyCreds | undefined
  let offsetMs = 0
  let underWay = 0

  const ownerKey = input.ownerKey.reveal().replace(/^0x/, '')
  const redact = redactorOf(() => [creds?.key, creds?.secret, creds?.passphrase, ownerKey])
  const call: Session['call'] = async ({ limitMs, maxRequests = 1 }, work) => {
    if (underWay >= MAX_UNDER_WAY)
      throw new TradingError('busy', `more than ${MAX_UNDER_WAY} calls are under way`)
    const abort = new AbortController()
    const transport = createTransport({ signal: abort.signal, maxRequests, nowMs: clock.now, redact })
    const client = createClient(input, {
      owner,
      creds,
      transport,
      nowS: () => (clock.now() + offsetMs) / SECOND_MS,
    })
    underWay++
    const tooLate = sleep(clock, limitMs, abort.signal).then(() => {
      throw new TradingError('unknown', `no answer within ${limitMs / SECOND_MS} s`)
    })
    tooLate.catch(() => {})
    try {
      return await Promise.race([work(client), tooLate])
    } catch (error) {
      if (error instanceof TradingError || !transport.hasSent()) throw error
      // The client takes answers apart before we see them, and trusts them.
      const words = redact(describeError(error)).slice(0, MAX_WORDS)
      throw new TradingError('unknown', `an answer that cannot be read: ${words}`)
    } finally {
      abort.abort()
      underWay--
    }
  }
  const serverTimeMs = async () => {
    const json = await call(TIME_LIMITS, (client) => (client as unknown as Getter).get(`${client.host}/time`))
    return parseReply(TimeReply, json, 'time')
  }
  offsetMs = (await serverTimeMs()) - clock.now()
  const keys = await call(CONNECT_LIMITS, (client) =>
    input.makesNoKey ? client.deriveApiKey() : deriveOrCreate(client),
  )
  creds = parseReply(KeyReply, keys, 'API key')
  return {
    wallet,
    serverTimeMs,
    call,
    redact,
    async sign(order) {
      const unsigned = toExchangeOrder(order, wallet)
      const signature = await signOrder(unsigned, owner)
      return { orderId: hashOrder(unsigned), signed: toSignedOrder(unsigned, order, signature) }
    },
  }
}

/** A key that exists is derived; only a new account makes one. */
async function deriveOrCreate(client: ClobClient): Promise<unknown> {
  try {
    return await client.deriveApiKey()
  } catch (error) {
    if (!(error instanceof TradingError) || (error.fault !== 'refused' && error.fault !== 'not_found'))
      throw error
    return client.createApiKey()
  }
}

type ClientOptions = ConstructorParameters<typeof ClobClient>[0]
type Parts = {
  owner: PrivateKeyAccount
  creds: ApiKeyCreds | undefined
  transport: ReturnType<typeof createTransport>
  nowS: () => number
}
/** The client with its own requests, which have no time limit and follow redirects, replaced by ours. */
function createClient(
  { clobUrl, depositWallet }: TradingInput,
  { owner, creds, transport, nowS }: Parts,
): ClobClient {
  const signer = {
    account: owner,
    signTypedData: (typedData: Parameters<PrivateKeyAccount['signTypedData']>[0]) =>
      owner.signTypedData(typedData),
  } as unknown as NonNullable<ClientOptions['signer']>
  const client = new ClobClient({
    host: clobUrl,
    chain: Chain.POLYGON,
    signer,
    ...(creds && { creds }),
    signatureType: SignatureTypeV2.POLY_1271,
    funderAddress: depositWallet,
    useServerTime: true,
  })
  const { get, del } = transport
  return Object.assign(client, {
    ...{ get, del },
    getServerTime: async () => Math.floor(nowS()),
    // The client waits up to 30 s for transactions of the trades that a reply names; under this name it does not.
    post: async (...args: Parameters<typeof transport.post>) => hideTrades(await transport.post(...args)),
  }) as unknown as ClobClient
}

function hideTrades(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null || !('tradeIDs' in reply)) return reply
  const { tradeIDs, ...rest } = reply
  return { ...rest, hiddenTradeIDs: tradeIDs }
}

export function showTrades(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null || !('hiddenTradeIDs' in reply)) return reply
  const { hiddenTradeIDs, ...rest } = reply
  return { ...rest, tradeIDs: hiddenTradeIDs }
}

/** The client's own method for the time is replaced by our clock, which signs its requests. */
type Getter = { get(url: string): Promise<unknown> }

const toSignedOrder = (order: ExchangeOrder, { expiresS = 0 }: TradeOrder, signature: Hex): SignedOrder =>
  ({
    ...order,
    salt: order.salt.toString(),
    tokenId: order.tokenId.toString(),
    makerAmount: order.makerAmount.toString(),
    takerAmount: order.takerAmount.toString(),
    timestamp: order.timestamp.toString(),
    expiration: String(expiresS),
    signature,
  }) as unknown as SignedOrder
