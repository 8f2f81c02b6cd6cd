/**
 * Makes a deposit wallet, approves, splits, merges and redeems with the official @polymarket/builder-relayer-client,
 * unmodified, against the sandbox. It is installed in a folder of its own outside the project.
 * Usage: npx node scripts/stock-relayer-client.ts [folder to install into]
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { silentLog } from '../src/core/log.ts'
import { systemClock } from '../src/core/time/clock.ts'
import { startEvmChain } from '../src/sandbox/chains/evm/chain.ts'
import { startInternet } from '../src/sandbox/internet.ts'
import { createSimulatedMarket } from '../src/sandbox/market/simulated-market.ts'
import { openTrading } from '../src/sandbox/open-trading.ts'
import { createPredictionVenue } from '../src/sandbox/prediction/prediction-venue.ts'
import {
  approvalCalls,
  mergeCall,
  redeemCall,
  splitCall,
} from '../src/upstreams/polymarket/relayer/wallet-calls.ts'

const VERSION = '0.0.10'
const USD = 1_000_000n
const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'stock-relayer-'))
if (!existsSync(join(folder, 'node_modules/@polymarket/builder-relayer-client'))) {
  console.log(`installing @polymarket/builder-relayer-client ${VERSION} into ${folder} …`)
  mkdirSync(folder, { recursive: true })
  // Newer viem asks for a version of ox that does not install.
  writeFileSync(join(folder, 'package.json'), '{"private":true,"overrides":{"viem":"2.57.1"}}')
  const options = ['--no-audit', '--no-fund', '--loglevel', 'error']
  const packages = [`@polymarket/builder-relayer-client@${VERSION}`]
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'inherit' })
}

/** Does the steps that it gets, each a name and the calls of a batch, and tells what became of them. */
const CLIENT = `
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const { RelayClient } = require('@polymarket/builder-relayer-client')
const { BuilderConfig } = require('@polymarket/builder-signing-sdk')
const { createWalletClient, http } = require('viem')
const { privateKeyToAccount } = require('viem/accounts')
const { polygon } = require('viem/chains')
const { relayerUrl, rpcUrl, key, creds, steps } = JSON.parse(process.argv[2])
console.log = () => {}
const chain = { ...polygon, rpcUrls: { default: { http: [rpcUrl] } } }
const signer = createWalletClient({ account: privateKeyToAccount(key), chain, transport: http(rpcUrl) })
const builder = new BuilderConfig({ localBuilderCreds: creds })
const client = new RelayClient(relayerUrl, 137, signer, builder, undefined, { chain })
const wallet = await client.deriveDepositWalletAddress()
const told = { wallet }
for (const [name, calls] of steps) {
  const deadline = String(Math.floor(Date.now() / 1000) + 240)
  const sent = calls ? await client.executeDepositWalletBatch(calls, wallet, deadline) : await client.deployDepositWallet()
  const done = await sent.wait()
  told[name] = done ? [done.state, done.transactionHash] : ['failed']
}
told.deployed = await client.getDeployed(wallet, 'WALLET')
process.stdout.write(JSON.stringify(told))
`
const script = join(folder, 'relay.mjs')
writeFileSync(script, CLIENT)

const dataDir = mkdtempSync(join(tmpdir(), 'stock-relayer-data-'))
const market = createSimulatedMarket({ seed: 'stock-relayer', startMs: systemClock.now() })
const venue = createPredictionVenue({ seed: 'stock-relayer', market })
const chain = await startEvmChain({ dataDir, log: silentLog })
const internet = await startInternet({ market, clock: systemClock, venue, realTime: true })
const { rpc, rpcUrl } = chain
const trading = await openTrading({ rpc, market, venue, internet, dataDir, log: silentLog })
const { custody, relayerKeys } = trading
try {
  const key = generatePrivateKey()
  const wallet = custody.walletOf(privateKeyToAccount(key).address)
  const listed = venue.markets().find(({ series, state }) => series && state === 'open')
  if (!listed) throw new Error('the venue has no open market')
  const conditionId = listed.conditionId as `0x${string}`
  const tokenIds = listed.tokenIds.map(BigInt)
  await custody.mint(wallet, 100n * USD)
  const wireCalls = (calls: ReturnType<typeof approvalCalls>) =>
    calls.map((call) => ({ ...call, value: String(call.value) }))
  const relay = async (steps: readonly (readonly [string, ReturnType<typeof approvalCalls>?])[]) => {
    const listedSteps = steps.map(([name, calls]) => [name, calls && wireCalls(calls)])
    const input = {
      relayerUrl: internet.urls.RELAYER,
      rpcUrl,
      key,
      creds: relayerKeys.builder,
      steps: listedSteps,
    }
    const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(input)])
    const told = JSON.parse(stdout)
    console.log(`@polymarket/builder-relayer-client ${VERSION}`, told)
    const holdings = {
      pUsd: await custody.collateralOf(wallet),
      shares: await custody.sharesOf(wallet, tokenIds),
    }
    console.log(listed.slug, holdings)
    const isSame = told.wallet === wallet && told.deployed === true
    const areDone = steps.every(([name]) => /^STATE_(MINED|CONFIRMED)$/.test(told[name]?.[0]))
    if (!isSame || !areDone) process.exitCode = 1
    return holdings
  }
  const before = await relay([
    ['create'],
    ['approve', approvalCalls()],
    ['split', [splitCall(conditionId, 40n * USD)]],
    ['merge', [mergeCall(conditionId, 15n * USD)]],
  ])
  if (before.pUsd !== 75n * USD || before.shares.some((shares) => shares !== 25n * USD)) process.exitCode = 1
  // The window itself takes five minutes.
  await custody.resolve(conditionId, [0n, USD])
  const after = await relay([['redeem', [redeemCall(conditionId)]]])
  if (after.pUsd !== 100n * USD || after.shares.some((shares) => shares !== 0n)) process.exitCode = 1
  console.log(process.exitCode ? 'FAILED' : 'wallet made, approved, split, merged and redeemed')
} finally {
  await trading.close()
  venue.close()
  await internet.close()
  await chain.close()
  rmSync(dataDir, { recursive: true, force: true })
}
