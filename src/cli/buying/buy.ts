import { z } from 'zod'
import { type Step, TollbookError } from '../../../clients/ts/tollbook.ts'
import { loadConfig } from '../../config/config.ts'
import { ownAddress } from '../../config/own-address.ts'
import type { FailureCode } from '../../core/service-error.ts'
import { V1_NAMES } from '../../payments/challenge/terms.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { getPaid } from './get-paid.ts'
import { type Network, openSandboxWallet } from './sandbox-wallet.ts'

const HELP = `usage: tollbook buy <path> [--network base|solana] [--url http://127.0.0.1:4020] [--payment …]

Buys one reply with play money, from a service in sandbox or paper mode, and shows every step:
challenge, payment, settlement, receipt, data.
  --network  the chain to pay on; by default base, or solana where that service runs no Base
  --url      where the service is; by default on this machine, at PORT and HOST of the environment or of .env
  --payment  a payment signed earlier for the same path: its reply, without paying again; printed with the whole
             command where it was not decided whether a purchase was charged
`

const PATIENCE_WHEN_DOWN_MS = 5_000
/** The service waits 12 s for the chain at most. */
const AGAIN_MS = 30_000
const Health = z.object({
  checks: z.array(
    z.object({ name: z.string(), status: z.string(), detail: z.string(), needed: z.boolean().default(true) }),
  ),
})
const Problem = z.object({ code: z.string(), detail: z.string(), hint: z.string().optional() })
/** Base64 of either alphabet. */
const PAYMENT = /^[\w+/=-]+$/
/** Of the statuses from 400 on: after these the same payment may still bring the reply. */
const MAY_COME: readonly number[] = [402, 408, 429]
/** What was said before the payment was handed on to anybody. */
const NOT_CHARGED: readonly string[] = [
  'stale_data',
  'upstream_unavailable',
  'payments_unavailable',
] satisfies FailureCode[]

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), buy)
}

type Options = {
  path: `/${string}`
  network: Network | undefined
  url: string | undefined
  payment: string | undefined
}

function parse(args: string[]): Options | 'help' | Fault {
  const text = { type: 'string' } as const
  const options = { network: text, url: text, payment: text }
  return parseOptions(args, { options, allowPositionals: true }, ({ values, positionals }) => {
    const { network, url, payment } = values
    const [path, ...more] = positionals
    if (path !== undefined && /^https?:$/.test(URL.parse(path)?.protocol ?? ''))
      return { fault: `the address goes into --url: ${splitAddress(path)}` }
    if (path !== undefined && !path.startsWith('/'))
      return { fault: `a path starts with a slash: tollbook buy /${path}` }
    if (path === undefined || more.length > 0)
      return { fault: 'name one path to buy, for example: tollbook buy /price/BTC' }
    if (network !== undefined && network !== 'base' && network !== 'solana')
      return { fault: '--network is base or solana' }
    if (payment !== undefined && !PAYMENT.test(payment))
      return { fault: '--payment is the whole base64 text that an earlier call printed' }
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      return { fault: '--url must be an http(s) address' }
    return { path: path as `/${string}`, network, url, payment }
  })
}

function splitAddress(address: string): string {
  const { origin, pathname, search } = new URL(address)
  return `tollbook buy '${pathname}${search}' --url ${origin}`
}

async function buy(options: Options): Promise<void> {
  const baseUrl = options.url ?? findService()
  try {
    await buyAt(baseUrl, options)
  } catch (error) {
    throw explainPurchase(error, baseUrl, options.path)
  }
}

/** The service that a start with the same environment and .env would be. */
function findService(): string {
  const { host, port } = loadConfig()
  if (port === 0) throw new Error('PORT=0 takes any free port: pass --url with the address of the ready line')
  return ownAddress(host, port)
}

function withoutFreeCall(path: string): string {
  if (/[?&]demo=/.test(path)) return path
  return `${path}${path.includes('?') ? '&' : '?'}demo=0`
}

async function buyAt(baseUrl: string, { path, network, payment }: Options): Promise<void> {
  const isWell = await sayHealth(baseUrl)
  const opened = payment === undefined ? await openWallet(baseUrl, network) : undefined
  const { data, settlement, contentDigest } = await getPaid({
    baseUrl,
    path: withoutFreeCall(path),
    ...(opened ? { wallet: opened.wallet } : { payment }),
    onStep(step) {
      show(step)
      if (step.step === 'challenge' && opened)
        refuseUnsold(step.paymentRequired.accepts, opened.network, baseUrl)
    },
    // It is play money, and who maps ports or runs a proxy calls a service by another name than its own.
    publicUrl: 'any',
    ...(!isWell && { patienceMs: PATIENCE_WHEN_DOWN_MS }),
    againMs: AGAIN_MS,
    onAgain: () => say('again', `no answer: the same payment once more, for up to ${AGAIN_MS / 1000} s`),
  })
  if (settlement) {
    say('receipt', JSON.stringify(settlement.extensions ?? {}))
    say('digest', contentDigest ?? 'none')
  } else say('free', 'no payment was asked for: this call costs nothing')
  say('data', '')
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`)
}

async function openWallet(baseUrl: string, wanted: Network | undefined) {
  const opened = await openSandboxWallet(baseUrl, wanted)
  say('wallet', `${opened.address} on ${opened.network}, made for this call, holding play money`)
  return opened
}

/** The wallet would say it with all it knows, as JSON. */
function refuseUnsold(accepts: readonly { network: string }[], wanted: Network, baseUrl: string): void {
  const sold = accepts.map(({ network }) => V1_NAMES.get(network) ?? network)
  if (sold.length === 0)
    throw new Error(`${baseUrl} cannot be paid now, on any network: ${new URL('/health', baseUrl)} says why`)
  if (!sold.includes(wanted))
    throw new Error(
      `${baseUrl} does not sell on ${wanted} now; it offers ${sold.join(' and ')}: try --network ${sold[0]}`,
    )
}

/** Says before anything is signed what is down; true where nothing is. */
async function sayHealth(baseUrl: string): Promise<boolean> {
  const reply = await fetch(new URL('/health', baseUrl))
  const { checks } = Health.catch({ checks: [] }).parse(await reply.json().catch(() => undefined))
  const down = checks.filter(({ status, needed }) => needed && status === 'down')
  for (const { name, detail } of down) say('down', `${name}: ${detail}; what needs it cannot be bought now`)
  return down.length === 0
}

function show(step: Step): void {
  if (step.step === 'challenge') {
    const { resource, accepts } = step.paymentRequired
    say('challenge', `402 for ${resource?.url}`)
    for (const { network, amount, payTo } of accepts)
      say('', `${Number(amount) / 1e6} USDC on ${network} to ${payTo}`)
  } else if (step.step === 'payment')
    say('payment', `signed, ${step.header.length} characters in PAYMENT-SIGNATURE`)
  else if (step.step === 'retry')
    say(
      'retry',
      `${step.status ?? 'no answer'}${step.reason ? ` (${step.reason})` : ''}: the same payment again in ${step.afterMs} ms`,
    )
  else say('settled', `transaction ${step.settlement.transaction}`)
}

const LABEL_WIDTH = 10
const say = (label: string, text: string) => process.stdout.write(`${label.padEnd(LABEL_WIDTH)} ${text}\n`)

function explainPurchase(error: unknown, url: string, path: string): unknown {
  if (error instanceof TollbookError) return new Error(explainRefusal(error, url, path))
  if (!(error instanceof TypeError && error.cause instanceof Error)) return error
  const { code = error.cause.message } = error.cause as NodeJS.ErrnoException
  return new Error(
    `nothing answers at ${url} (${code}): start it with npm start, set PORT as it was for that start, or pass --url`,
  )
}

function explainRefusal(error: TollbookError, url: string, path: string): string {
  const { status, message, body, payment } = error
  if (payment === undefined) return status === 0 ? message : `${status}: ${message}`
  const { code, detail, hint } = Problem.catch({ code: '', detail: message }).parse(body)
  const said = status === 0 ? 'no answer' : `${status}: ${detail}`
  const health = `${new URL('/health', url)} says what is down.`
  if (NOT_CHARGED.includes(code)) {
    const free = /not(hing was)? charged/.test(detail) ? 'The' : 'Nothing was charged: the'
    return `${said}. ${free} signed payment expires unused. Try again later; ${health}`
  }
  const isFinal =
    status >= 400 && status < 500 && !MAY_COME.includes(status) && code !== 'payment_in_progress'
  if (isFinal) return hint ? `${said}; ${hint}` : said
  const money = 'Whether it was charged is not known: the payment buys once or expires within minutes.'
  const later = `tollbook buy '${path.replaceAll("'", '%27')}' --url ${url} --payment ${payment}`
  return `${said}. ${money} To get the reply without paying again: ${later}\n${health}`
}
