import type { checkRecord } from './check-record.ts'
import { isMode, MODES, type Sent, shown } from './sent.ts'

/** Exit codes. */
export const [TRUE, UNTRUE, UNREADABLE, INCOMPLETE] = [0, 1, 2, 3]

export type Options = {
  source: string
  head?: string
  'save-head'?: string
  export?: string
  rpc?: string
  at?: string
  json?: boolean
  help?: boolean
}

/** What the check comes to: `unchecked` is what the asker could have had checked, `notes` is what nobody can. */
export function judge(
  found: Awaited<ReturnType<typeof checkRecord>>,
  options: Options,
  saved: Sent,
  nowMs: number | undefined,
  whyNoAnchors: string | undefined,
) {
  const { size, heads, unstated, head, mode, anchors, changes, figures } = found
  const [proven, unchecked, notes]: [string[], string[], string[]] = [[], [...found.unchecked], []]
  if (size === 0 && found.untrue.length === 0)
    return {
      code: INCOMPLETE,
      of: 'an empty record',
      verdict: 'nothing was checked: an empty record',
      proven,
      unchecked: ['anything: there are no leaves yet; the first come seconds before a window opens'],
      notes,
      head,
    }
  proven.push(
    `all of it, ${leaves(size)}, is complete, in order and unchanged under ${count(heads, 'signed head')}; every window was committed to before it opened, by the clock of the record, or is entered as missed`,
  )
  if (figures.entries === 0) unchecked.push('any prediction: no window is entered yet')
  else
    proven.push(
      `every prediction is the one that was committed; outcomes${found.unchecked.length ? '' : ' and figures'} follow from the prices that the record states`,
    )
  if (found.figuresSize < size)
    notes.push(`/record/calibration has the figures of the first ${found.figuresSize} of ${leaves(size)}`)
  if (unstated === heads) unchecked.push('of which mode it is: no head states it')
  else if (unstated > 0) notes.push(`mode not stated in ${count(unstated, 'head')} of an earlier release`)
  tellKeyChanges(changes, saved, { proven, unchecked, notes })
  if (saved) proven.push(`it continues the head of ${leaves(saved.tree_size)} that you saved`)
  const isAnchored = anchors.length > 0 && options.rpc && !whyNoAnchors
  if (isAnchored)
    proven.push(
      `${count(anchors.length, 'anchor')} on the chain, as the node at ${new URL(options.rpc ?? '').host} says; whoever runs that node is believed`,
    )
  else if (anchors.length > 0)
    unchecked.push(
      `its ${count(anchors.length, 'anchor')}: ${whyNoAnchors ?? 'name a node of their chain with --rpc'}`,
    )
  else notes.push('there are no anchors: nothing on a chain shows when the leaves were written')
  if (!saved)
    (isAnchored ? notes : unchecked).push(
      `that it is the record which others saw: no head that you saved was given with --head${isAnchored ? '; up to the newest anchor the chain shows it' : ''}`,
    )
  if (nowMs === undefined)
    unchecked.push('whether it goes on until now: a file has no now, give the time with --at')
  else if (figures.entries > 0)
    proven.push(
      `it goes on until now, ${new Date(nowMs).toISOString()} by ${options.at ? 'the time given with --at' : 'the clock of this machine'}`,
    )
  const of = `a record ${mode === undefined ? 'that does not state its mode' : `of ${isMode(mode) ? MODES[mode] : 'no mode that is known'}`}`
  const code = found.untrue.length ? UNTRUE : unchecked.length ? INCOMPLETE : TRUE
  const words = {
    [TRUE]: `true: ${of}`,
    [UNTRUE]: `UNTRUE in ${count(found.untrue.length, 'place')}: ${of}`,
    [INCOMPLETE]: `true as far as checked: ${of}; not checked: ${unchecked.length}`,
  }
  return {
    code,
    of,
    verdict: words[code] ?? '',
    proven: code === UNTRUE ? [] : proven,
    unchecked,
    notes,
    head,
  }
}

/** The checker imports nothing of the service, so it counts by itself. */
export const count = (many: number, one: string, more = `${one}s`) => `${many} ${many === 1 ? one : more}`
export const leaves = (many: number) => count(many, 'leaf', 'leaves')

type Lists = { proven: string[]; unchecked: string[]; notes: string[] }

function tellKeyChanges(changes: Sent[], saved: Sent, { proven, unchecked, notes }: Lists) {
  for (const { changed_at, tree_size, reason, old_key_id, new_key_id } of changes) {
    const [what, isKnown] = [
      `leaf ${shown(tree_size)}, ${shown(changed_at)}: ${shown(old_key_id)} to ${shown(new_key_id)}`,
      saved && saved.tree_size > tree_size,
    ]
    if (reason === 'rotated') proven.push(`the key was replaced with the old key's word, ${what}`)
    else
      (isKnown ? notes : unchecked).push(
        `key replaced without the old key's word, ${what}${isKnown ? '; you saved a head after it' : ': whoever held the ledger could have done that'}`,
      )
  }
}
