import { join } from 'node:path'
import type { Log } from '../core/log.ts'
import { type Secret, secret } from '../core/secret.ts'
import type { Rpc } from './chains/evm/rpc-client.ts'
import type { Internet } from './internet.ts'
import { openPredictionKey } from './keys.ts'
import type { SimulatedMarket } from './market/simulated-market.ts'
import { openTradingAccounts } from './prediction/accounts/trading-accounts.ts'
import type { Custody } from './prediction/custody.ts'
import { createChainCustody } from './prediction/custody-on-chain.ts'
import type { PredictionVenue } from './prediction/venue.ts'
import { openOperatorWallet } from './prediction/wallets/operator-wallet.ts'
import { prepareMarkets } from './prediction/wallets/prepare-markets.ts'
import { createAccountsServer } from './providers/polymarket/accounts/accounts.ts'
import { createDataServer } from './providers/polymarket/data/data.ts'
import { createRelayer } from './providers/polymarket/relayer/relayer.ts'
import { makeRelayerKeys, type RelayerKeys } from './providers/polymarket/relayer/relayer-keys.ts'
import { ACCOUNTS_FILE } from './state-files.ts'

/** The operator's account at Polymarket: a deposit wallet, the key of its owner, and one for the relayer. */
export type PredictionAccount = {
  wallet: string
  ownerKey: Secret
  relayerKey: { apiKey: Secret; address: string }
}

export type Trading = {
  account: PredictionAccount
  custody: Custody
  /** What the relayer accepts; new at every start unless a key was handed in. */
  relayerKeys: RelayerKeys
  close(): Promise<void>
}

export type TradingInput = {
  rpc: Rpc
  market: SimulatedMarket
  venue: PredictionVenue
  internet: Pick<Internet, 'serveAccounts'>
  dataDir: string
  log: Log
  /** The key for the relayer of an earlier run; without it there is a new one. */
  relayerKey?: string | undefined
  /** See the relayer. */
  relayerBlockMs?: number
}

/** Opens accounts, orders and redeeming at the simulated venue, which need a chain. Until then trading is disabled. */
export async function openTrading(input: TradingInput): Promise<Trading> {
  const { rpc, market, venue, internet, dataDir, log } = input
  const { nowMs } = market
  const custody = await createChainCustody({ rpc, clock: { now: nowMs } })
  const file = join(dataDir, ACCOUNTS_FILE)
  const { owner, wallet, ownerKey } = await openOperatorWallet(openPredictionKey(dataDir), custody, nowMs)
  const { onTick } = market
  const accounts = await openTradingAccounts({ venue, custody, onTick, operator: owner, file, log })
  const relayerKeys = makeRelayerKeys(owner, input.relayerKey)
  const relayer = createRelayer({
    custody: () => custody,
    nowMs,
    keys: relayerKeys,
    blockMs: input.relayerBlockMs,
    prepare: (batch) => prepareMarkets(batch, venue, accounts.prepare),
  })
  const clob = createAccountsServer(accounts)
  internet.serveAccounts({ clob, poly_data: createDataServer(accounts), relayer })
  return {
    account: { wallet, ownerKey, relayerKey: { apiKey: secret(relayerKeys.api.key), address: owner } },
    custody,
    relayerKeys,
    async close() {
      clob.close()
      await accounts.settled()
      accounts.close()
    },
  }
}
