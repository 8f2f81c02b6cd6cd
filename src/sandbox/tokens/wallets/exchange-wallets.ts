import { createFindExchange } from '../../../intel/whales/labels.ts'
import type { FindExchange } from '../../../intel/whales/transfer.ts'
import { bitcoinAddress } from '../../providers/mempool/bitcoin-chain.ts'
import { WALLET_LIST } from './wallet-list.ts'

const HOT_WALLET = /^(.+): hot wallet/

/** The exchanges of the simulation. Their wallets have other addresses than the real ones, on both chains. */
export function findSandboxExchange(): FindExchange {
  const labelled = WALLET_LIST.flatMap(({ label, address }) => {
    const exchange = HOT_WALLET.exec(label ?? '')?.[1]
    return exchange === undefined ? [] : [{ exchange, address }]
  })
  const addressesOf = (toAddress: (address: string) => string) =>
    Object.fromEntries(
      [...Map.groupBy(labelled, ({ exchange }) => exchange)].map(([exchange, ofIt]) => [
        exchange,
        ofIt.map(({ address }) => toAddress(address)),
      ]),
    )
  return createFindExchange({ bitcoin: addressesOf(bitcoinAddress), base: addressesOf((address) => address) })
}
