import { parseArgs } from 'node:util'
import { createTollbook, type Step, TollbookError } from '../../clients/ts/tollbook.ts'
import { explain, fail } from './run-command.ts'
import { openSandboxWallet } from './sandbox-wallet.ts'

const HELP = `usage: tollbook buy <path> [--network base|solana] [--url http://127.0.0.1:4020]

Buys one reply from a sandbox with throw-away money and shows every step:
challenge, payment, settlement, receipt, data.
`
const EXPLORE = 'see tollbook buy --help'

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      network: { type: 'string', default: 'base' },
      url: { type: 'string', default: 'http://127.0.0.1:4020' },
    },
  })
  const [path] = positionals
  if (values.help) return void process.stdout.write(HELP)
  if (!path?.startsWith('/')) return fail(`which path? For example: tollbook buy /price/BTC (${EXPLORE})`)
  if (values.network !== 'base' && values.network !== 'solana')
    return fail(`--network is base or solana (${EXPLORE})`)
  try {
    await buy(values.url, path as `/${string}`, values.network)
  } catch (error) {
    fail(explainPurchase(error, values.url))
  }
}

async function buy(baseUrl: string, path: `/${string}`, network: 'base' | 'solana'): Promise<void> {
  const { wallet, address } = await openSandboxWallet(baseUrl, network)
  say('wallet', `${address} on ${network}, made for this call by the sandbox`)
  const tollbook = createTollbook({ baseUrl, wallet, onStep: show })
  const separator = path.includes('?') ? '&' : '?'
  const { data, settlement, contentDigest } = await tollbook.get(`${path}${separator}demo=0` as '/btc-price')
  if (settlement) {
    say('receipt', JSON.stringify(settlement.extensions ?? {}))
    say('digest', contentDigest ?? 'none')
  }
  say('data', '')
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`)
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
    say('retry', `${step.status ?? 'no answer'}: the same payment again in ${step.afterMs} ms`)
  else say('settled', `transaction ${step.settlement.transaction}`)
}

const LABEL_WIDTH = 10
const say = (label: string, text: string) => process.stdout.write(`${label.padEnd(LABEL_WIDTH)} ${text}\n`)

function explainPurchase(error: unknown, url: string): string {
  if (error instanceof TollbookError) return `${error.status}: ${error.message}`
  if (error instanceof TypeError) return `nothing answers at ${url}: start it with npm start, or pass --url`
  return explain(error)
}
