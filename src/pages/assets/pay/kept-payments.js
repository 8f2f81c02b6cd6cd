// Signed payments outlive a reload: one that is undecided must not be lost, and one that has paid fetches its reply again.
// Each has a place of its own, so tabs never overwrite each other's. Where storage is switched off, memory has to do.

/** @typedef {{ id: string, header: string, isPaid: boolean }} Kept */

const PREFIX = 'x402 '
// Over all addresses. What is undecided is never dropped to make room.
const PAID_LIMIT = 50

/** @param {string} resource what the payments are for */
export function openKeptPayments(resource) {
  const prefix = `${PREFIX}${resource} `
  /** @type {Map<string, Kept>} */
  const inMemory = new Map()
  return {
    /** Whether all that is kept would be there after a reload. */
    isLasting: () => inMemory.size === 0 && canStore(),
    /**
     * Undecided ones first: nothing else may be signed before they are decided.
     * @returns {Kept | undefined}
     */
    next() {
      const all = [...stored(prefix), ...inMemory.values()]
      return all.find(({ isPaid }) => !isPaid) ?? all.at(-1)
    },
    /** @param {Kept} payment */
    keep(payment) {
      const isStored = attempt(() => {
        makeRoom()
        localStorage.setItem(prefix + payment.id, JSON.stringify({ ...payment, atMs: Date.now() }))
        return true
      })
      if (!isStored) inMemory.set(payment.id, payment)
    },
    /** @param {Kept} payment */
    forget({ id }) {
      inMemory.delete(id)
      attempt(() => localStorage.removeItem(prefix + id))
    },
  }
}

function canStore() {
  const probe = `${PREFIX}probe`
  return (
    attempt(() => {
      localStorage.setItem(probe, probe)
      localStorage.removeItem(probe)
      return true
    }) === true
  )
}

/**
 * The oldest first.
 * @returns {Kept[]}
 */
function stored(prefix) {
  const found = attempt(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => parsed(localStorage.getItem(key))),
  )
  return (found ?? []).filter((kept) => typeof kept?.header === 'string').sort((a, b) => a.atMs - b.atMs)
}

function makeRoom() {
  const paid = stored(PREFIX).filter(({ isPaid }) => isPaid)
  const ids = paid.slice(0, Math.max(0, paid.length - PAID_LIMIT + 1)).map(({ id }) => id)
  for (const key of Object.keys(localStorage))
    if (key.startsWith(PREFIX) && ids.some((id) => key.endsWith(` ${id}`))) localStorage.removeItem(key)
}

/** What somebody else wrote there is not ours. */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function attempt(work) {
  try {
    return work()
  } catch {
    return undefined
  }
}
