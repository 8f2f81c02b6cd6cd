import type { Tamper, Wire } from '../../src/sandbox/providers/peers.ts'

/** Chances per message. A real line is far better; a day of this one shows every fault many times. */
export type Faults = { drop: number; double: number; reorder: number; garble: number; disconnect: number }

const BAD_LINE: Faults = {
  drop: 0.004,
  double: 0.004,
  reorder: 0.004,
  garble: 0.004,
  disconnect: 0.0002,
}

export type BadNetwork = { tamper: Tamper; counts: Record<keyof Faults, number>; heal(): void }

/** A line that loses, repeats, swaps and breaks messages and cuts connections, by a seeded sequence. */
export function createBadNetwork(random: () => number, faults: Faults = BAD_LINE): BadNetwork {
  const counts = { drop: 0, double: 0, reorder: 0, garble: 0, disconnect: 0 }
  const held = new Map<string, string>()
  let isHealed = false

  const pick = (): keyof Faults | undefined => {
    let dice = random()
    for (const fault of FAULTS) {
      dice -= faults[fault]
      if (dice < 0) return fault
    }
    return undefined
  }
  const apply = (fault: keyof Faults, { venue, stream, text }: Wire): readonly string[] | 'disconnect' => {
    counts[fault]++
    switch (fault) {
      case 'drop':
        return []
      case 'double':
        return [text, text]
      case 'garble':
        return [garble(text, random)]
      case 'disconnect':
        return 'disconnect'
      case 'reorder':
        held.set(`${venue} ${stream}`, text)
        return []
    }
  }
  return {
    counts,
    heal() {
      isHealed = true
    },
    tamper(wire) {
      const key = `${wire.venue} ${wire.stream}`
      const late = held.get(key)
      if (late !== undefined) {
        held.delete(key)
        return [wire.text, late]
      }
      const fault = isHealed ? undefined : pick()
      return fault ? apply(fault, wire) : [wire.text]
    },
  }
}

const FAULTS = ['drop', 'double', 'reorder', 'garble', 'disconnect'] as const

/** Broken JSON, or one field or list entry somewhere inside that is not what it should be. */
function garble(text: string, random: () => number): string {
  const cut = Math.floor(random() * text.length)
  if (random() < 0.25) return text.slice(0, cut)
  if (random() < 0.2) return text.replace(/\d+(\.\d+)?/, 'NaN')
  const json: unknown = JSON.parse(text)
  const place = pickPlace(json, random)
  if (!place) return text.slice(0, cut)
  const broken = [null, 'abc', '', 'NaN', -1, {}][Math.floor(random() * 7)]
  if (broken === undefined) Reflect.deleteProperty(place.holder, place.key)
  else Reflect.set(place.holder, place.key, broken)
  return JSON.stringify(json)
}

function pickPlace(json: unknown, random: () => number): { holder: object; key: string } | undefined {
  const places: { holder: object; key: string }[] = []
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      places.push({ holder: value, key })
      walk(inner)
    }
  }
  walk(json)
  return places[Math.floor(random() * places.length)]
}
