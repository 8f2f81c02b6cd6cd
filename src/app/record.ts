import { randomBytes } from 'node:crypto'
import type { Mode } from '../config/variables/variable.ts'
import type { Log } from '../core/log.ts'
import { secret } from '../core/secret.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Store } from '../ledger/ports/store.ts'
import type { ServiceKey } from '../payments/receipts/service-key.ts'
import type { PublicRecord } from '../products/record/services.ts'
import { createEvmAnchor } from '../record/anchor/evm-anchor.ts'
import { createRecordKeeper } from '../record/keeper.ts'
import { createOracleAt } from '../record/oracle-at.ts'
import type { Anchor } from '../record/ports.ts'
import { createRecordFollower } from '../record/record-follower.ts'
import type { Running } from './leader-work.ts'
import type { OpenMarket } from './market.ts'
import type { PaymentRails } from './payment-rails.ts'

/** The public record, whoever writes it. */
export type KeptRecord = Running & {
  reader: PublicRecord
  /** Aborted where another process replaced the key that this one signs with. */
  otherKey?: AbortSignal
}

type Ports = {
  clock: Clock
  log: Log
  store: Pick<Store, 'record'>
  key: ServiceKey
  mode: Mode
  open: Pick<OpenMarket, 'market' | 'signals'>
  money: Pick<PaymentRails, 'wallets' | 'rpc'>
}

/** The public record of what the signals said before each window. */
export function openRecord({ clock, log, store, key, mode, open, money }: Ports): KeptRecord {
  return createRecordKeeper({
    clock,
    log,
    book: store.record,
    key,
    mode,
    predict: open.signals.predict,
    oracle: createOracleAt(open.market),
    anchor: playAnchor(money),
    random: randomBytes,
  })
}

type FollowPorts = Pick<Ports, 'clock' | 'log' | 'store' | 'key' | 'mode'> & {
  /** Tells when there are so many leaves. */
  onRecord(listener: (treeSize: number) => void): void
}

/** The record that another process keeps. */
export function followRecord({ clock, log, store, key, mode, onRecord }: FollowPorts): KeptRecord {
  const follower = createRecordFollower({ clock, log, book: store.record, keyId: key.id, mode })
  onRecord(follower.heard)
  const stop = async () => {
    follower.stop()
    await follower.idle()
  }
  const { reader, otherKey, start } = follower
  return { reader, otherKey, start, stop }
}

/** On the local chain, from a wallet made for it. In live mode no wallet for anchors is configured. */
function playAnchor({ wallets, rpc }: Ports['money']): Anchor | undefined {
  if (!wallets || rpc.evm.length === 0) return undefined
  return {
    async anchor(rootHash, treeSize) {
      const { evm } = await wallets.fresh()
      if (!evm) throw new Error('the local chain to anchor on does not run')
      const anchor = createEvmAnchor({ rpcUrl: evm.rpc_url, key: secret(evm.private_key) })
      return anchor.anchor(rootHash, treeSize)
    },
  }
}
