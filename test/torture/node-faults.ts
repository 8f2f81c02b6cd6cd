import type { Seeded } from '../../src/testing/seeded.ts'

export type NodeFault = 'limited' | 'hang' | 'cut' | 'slow' | 'lag'
/** What goes wrong at the nodes of both chains. Off, they are as good as nodes get. */
export type NodeFaults = {
  choose(seeded: Seeded): NodeFault | undefined
  /** Every call to every node for a while. */
  spell(fault: NodeFault, ms: number): void
  start(): void
  stop(): void
  calls(): number
  spoilt(): number
}

const ODDS: readonly (readonly [share: number, fault: NodeFault])[] = [
  [0.03, 'limited'],
  [0.02, 'cut'],
  [0.005, 'hang'],
  [0.05, 'slow'],
  [0.05, 'lag'],
]

export function createNodeFaults(): NodeFaults {
  let isOn = false
  let spell: { fault: NodeFault; untilMs: number } | undefined
  let calls = 0
  let spoilt = 0
  const draw = (seeded: Seeded): NodeFault | undefined => {
    if (spell && Date.now() < spell.untilMs) return spell.fault
    let left = seeded.fraction()
    for (const [share, fault] of ODDS) {
      if (left < share) return fault
      left -= share
    }
    return undefined
  }
  return {
    choose(seeded) {
      calls++
      const fault = isOn ? draw(seeded) : undefined
      if (fault) spoilt++
      return fault
    },
    spell(fault, ms) {
      spell = { fault, untilMs: Date.now() + ms }
    },
    start() {
      isOn = true
    },
    stop() {
      isOn = false
      spell = undefined
    },
    calls: () => calls,
    spoilt: () => spoilt,
  }
}
