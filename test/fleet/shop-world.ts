import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture } from '../../bench/harness/capture.ts'
import type { Envelope } from '../../bench/harness/offer.ts'
import { createSignPayment, makePayers, type SignPayment } from '../../bench/payments/payers.ts'
import { type ProcessLife, startProcess } from '../../src/testing/process-life.ts'

/** Money that is never the limit: facilitator and node answer at once, payers sign in a tenth of a millisecond. */
export type InstantMoney = { server: ProcessLife; env: Record<string, string> }

const SCRIPT = fileURLToPath(new URL('./instant-money.ts', import.meta.url))
export const BOUGHT = '/price/BTC'
/** Many, as customers are: a single payer may not have many payments open at once. */
const payers = makePayers('fleet payer', 256)

/** For as long as the work takes, with a folder that goes with it. */
export async function withMoney<T>(work: (money: InstantMoney, dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-money-'))
  const money = await startInstantMoney(dir)
  try {
    return await work(money, dir)
  } finally {
    await money.server.kill('SIGTERM')
    rmSync(dir, { recursive: true, force: true })
  }
}

async function startInstantMoney(dir: string): Promise<InstantMoney> {
  const server = startProcess({
    ...{ args: [SCRIPT], cwd: dir, logFile: join(dir, 'money.log') },
    env: { PATH: process.env.PATH },
  })
  const said = new Promise<string>((resolve) => {
    let text = ''
    server.onText((more) => {
      text += more
      if (text.includes('\n')) resolve(text)
    })
  })
  const ended = server.gone.then(({ how }) =>
    Promise.reject(new Error(`the instant money: ${how}; see ${dir}`)),
  )
  const [, facilitators = '', node = ''] = (await Promise.race([said, ended])).split(' ')
  ended.catch(() => {})
  return { server, env: { TOLLBOOK_EVM_RPC_URL: node, TOLLBOOK_FACILITATORS: facilitators } }
}

export async function openSigner(url: string): Promise<SignPayment> {
  const { hostname: host, port } = new URL(url)
  const { body } = await capture({ host, port: Number(port) }, `${BOUGHT}?demo=0`)
  return createSignPayment(JSON.parse(body) as Envelope, payers)
}
