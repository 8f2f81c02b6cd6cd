import type { Group } from '../../catalog/group.ts'
import { marketSnapshot } from './market-snapshot.ts'
import { realtimeSignal } from './realtime.ts'
import type { SignalServices } from './services.ts'
import { btcSignal, signals } from './signals.ts'

export const signalGroup: Group<SignalServices> = {
  tag: 'signals',
  about: 'Where the open five-minute window is likelier to close, how likely, and what that was read from.',
  endpoints: [signals, btcSignal, realtimeSignal, marketSnapshot],
}
