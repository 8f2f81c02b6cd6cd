import { expect, vi } from 'vitest'

/**
 * What one test file leaves open for the next one in the same process. There is one at a time: it is closed when a file
 * asks for another, and after a file that asked for none (`leave-no-trace.ts`).
 */
type Kept = { name: string; opened: AsyncDisposable; handles: readonly string[]; isAskedFor: boolean }

const KINDS = new Set(['TCPServerWrap', 'ProcessWrap'])
let kept: Kept | undefined

export async function keep<T extends AsyncDisposable>(name: string, open: () => Promise<T>): Promise<T> {
  if (kept?.name !== name) {
    const others = openHandles()
    await closeKept()
    // The system lets go of an ended process a moment later: it must not be taken for one of what is opened now.
    await vi.waitFor(() => expect(handles()).toEqual(others))
    const opened = await open()
    kept = { name, opened, handles: without(handles(), others), isAskedFor: true }
  }
  kept.isAskedFor = true
  return kept.opened as T
}

export async function closeKept(): Promise<void> {
  const last = kept
  kept = undefined
  await last?.opened[Symbol.asyncDispose]()
}

/** At the end of a file. */
export async function closeUnlessAskedFor(): Promise<void> {
  if (!kept?.isAskedFor) return closeKept()
  kept.isAskedFor = false
}

/** Servers and child processes of this process, but for those of what is kept. */
export const openHandles = (): readonly string[] => without(handles(), kept?.handles ?? [])

const handles = () => process.getActiveResourcesInfo().filter((kind) => KINDS.has(kind))

function without(all: readonly string[], some: readonly string[]): string[] {
  const left = [...all]
  for (const one of some) if (left.includes(one)) left.splice(left.indexOf(one), 1)
  return left
}
