import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UPSTREAMS } from '../../src/config/providers.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { findAnvil } from '../../src/sandbox/chains/evm/anvil-binary.ts'
import { startEvmChain } from '../../src/sandbox/chains/evm/chain.ts'
import { startSvmChain } from '../../src/sandbox/chains/svm/chain.ts'
import { createSandboxFacilitator } from '../../src/sandbox/facilitator/sandbox-facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/facilitator/serve-facilitator.ts'
import { startInternet } from '../../src/sandbox/internet.ts'
import { openFacilitatorKeys, openSandboxKeys } from '../../src/sandbox/keys.ts'
import { createSimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { openTrading } from '../../src/sandbox/open-trading.ts'
import { createPredictionVenue } from '../../src/sandbox/prediction/prediction-venue.ts'
import { createTokenWorld } from '../../src/sandbox/tokens/create-token-world.ts'
import { isMissing } from '../../src/testing/missing.ts'
import { startNodeProxy } from './node-proxy.ts'

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
export const SECRETS = { operatorKey: 'operator-key-0123456789-abcdefghij', nodeKey: 'node-key-0123456789' }

export const noAnvil = isMissing('anvil', spawnSync(findAnvil(), ['--version']).status === 0)

export type DoctorWorld = Awaited<ReturnType<typeof openDoctorWorld>>

/** Everything that live mode needs, simulated on loopback: venues, an account, chain nodes, a facilitator. */
export async function openDoctorWorld() {
  const home = mkdtempSync(join(tmpdir(), 'doctor-'))
  const market = createSimulatedMarket({ seed: 'doctor', startMs: systemClock.now() })
  const venue = createPredictionVenue({ seed: 'doctor', market })
  const tokens = createTokenWorld({ seed: 'doctor', market })
  const internet = await startInternet({ market, clock: systemClock, venue, tokens, realTime: true })
  const [evm, payTo] = [await startEvmChain({ dataDir: home, log: silentLog }), openSandboxKeys(home)]
  const svm = await startSvmChain({ dataDir: home, clock: systemClock, payTo: payTo.svm.address })
  const trading = await openTrading({
    ...{ rpc: evm.rpc, market, venue, internet, dataDir: home, log: silentLog },
    // The commands wait for it on the real clock.
    relayerBlockMs: 300,
  })
  const keys = openFacilitatorKeys(home)
  const facilitator = await serveFacilitator(await createSandboxFacilitator({ evm, svm, keys }))
  const evmNode = await startNodeProxy(evm.rpcUrl, {})
  const svmNode = await startNodeProxy(svm.rpcUrl, {
    getGenesisHash: () => GENESIS,
    getBlockTime: () => Math.floor(systemClock.now() / 1000),
  })
  const { apiKey, secret, passphrase } = internet.credentials
  const paper = {
    ...Object.fromEntries(
      UPSTREAMS.map(({ name }) => [`TOLLBOOK_UPSTREAM_${name}_URL`, internet.urls[name]]),
    ),
    PORT: '0',
    TOLLBOOK_MODE: 'paper',
    TOLLBOOK_CLOB_API_KEY: apiKey,
    TOLLBOOK_CLOB_SECRET: secret,
    TOLLBOOK_CLOB_PASSPHRASE: passphrase,
  }
  const { account } = trading
  const live = {
    ...paper,
    TOLLBOOK_MODE: 'live',
    TOLLBOOK_BASE_URL: 'https://api.example.com',
    TOLLBOOK_OPERATOR_KEY: SECRETS.operatorKey,
    TOLLBOOK_PAY_TO_EVM: payTo.evm,
    TOLLBOOK_PAY_TO_SVM: payTo.svm.address,
    TOLLBOOK_EVM_RPC_URL: `${evmNode.url}/v2/${SECRETS.nodeKey}`,
    TOLLBOOK_SVM_RPC_URL: `${svmNode.url}/?key=${SECRETS.nodeKey}`,
    TOLLBOOK_FACILITATORS: facilitator.url,
    TOLLBOOK_POLY_OWNER_KEY: account.ownerKey.reveal(),
    TOLLBOOK_POLY_RELAYER_KEY: account.relayerKey.apiKey.reveal(),
    TOLLBOOK_POLY_RELAYER_ADDRESS: account.relayerKey.address,
  }
  return {
    ...{ internet, trading, paper, live, evmNode, svmNode, facilitator },
    async close() {
      await Promise.all([evmNode.close(), svmNode.close(), facilitator.close()])
      await trading.close()
      venue.close()
      await internet.close()
      await Promise.all([evm.close(), svm.close()])
      rmSync(home, { recursive: true, force: true })
    },
  }
}
