/**
 * Buys with x402-fetch 1.2.0, the last stock v1 client, on both chains. It pulls in half a gigabyte, so it is installed
 * in a folder of its own outside the project. Usage: npx node scripts/stock-v1-client.ts [folder to install into]
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'stock-v1-'))
if (!existsSync(join(folder, 'node_modules/x402-fetch'))) {
  console.log(`installing x402-fetch 1.2.0 into ${folder} (some minutes) …`)
  mkdirSync(folder, { recursive: true })
  // Newer viem asks for a version of ox that does not install.
  writeFileSync(join(folder, 'package.json'), '{"private":true,"overrides":{"viem":"2.57.1"}}')
  const options = ['--no-audit', '--no-fund', '--loglevel', 'error', 'x402-fetch@1.2.0']
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' })
}

const BUYER = `
import { createSigner, decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch'
const base = process.argv[2]
const { evm, solana } = await (await fetch(base + '/sandbox/wallets')).json()
for (const [network, key, rpcUrl] of [['base', evm.private_key], ['solana', solana.secret_key, solana.rpc_url]]) {
  const signer = await createSigner(network, key)
  const pay = wrapFetchWithPayment(fetch, signer, undefined, undefined, { svmConfig: { rpcUrl } })
  const reply = await pay(base + '/price/BTC?x402_version=1&demo=0', { method: 'GET' })
  const receipt = decodeXPaymentResponse(reply.headers.get('x-payment-response'))
  console.log('x402-fetch 1.2.0', network, reply.status, JSON.stringify(await reply.json()), JSON.stringify({ ...receipt, extensions: undefined }))
  if (reply.status !== 200 || !receipt.success || receipt.network !== network) process.exitCode = 1
}
`
const data = mkdtempSync(join(tmpdir(), 'stock-v1-data-'))
const env = { ...process.env, PORT: '0', TOLLBOOK_DATA_DIR: data, TOLLBOOK_LOG_LEVEL: 'warn' }
const main = new URL('../src/cli/main.ts', import.meta.url).pathname
const service = spawn(process.execPath, [main, 'serve'], {
  // In a folder of its own: nobody's `.env` has a say.
  cwd: data,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [ready = ''] = await createInterface(service.stdout)
    [Symbol.asyncIterator]()
    .next()
    .then(({ value }) => [String(value)])
  const script = join(folder, 'buyer.mjs')
  writeFileSync(script, BUYER)
  execFileSync(process.execPath, [script, ready.split(' ')[2] ?? ''], { stdio: 'inherit' })
} finally {
  service.kill()
}
