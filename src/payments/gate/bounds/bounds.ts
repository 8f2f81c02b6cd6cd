import type { RateCounters } from '../../../catalog/rate-limit.ts'
import { ServiceError, statusOf } from '../../../core/service-error.ts'
import type { Payment } from '../payment.ts'
import type { Offer, Problem, Sale, Sell } from '../sell.ts'
import {
  createFailedPayments,
  FAILED,
  type FailedPayments,
  type TakeBack,
  UNSOLD,
} from './failed-payments.ts'
import { CLIENT_PLACES, OPEN_BY_PAYER, PAYER_PLACES } from './limits.ts'
import type { OpenPayments } from './open-payments.ts'
import { createPlaces, type Places } from './places.ts'
import { createStrangers, type Strangers, type StrangersPorts } from './strangers.ts'
import { tooManyAtOnce, tooManyOpen } from './too-many.ts'
import { createUnseenPayments, type UnseenPayments } from './unseen-payments.ts'

/**
 * What one client and one wallet may make us do with payments that lead to nothing. Beyond it: 429, before anything is
 * claimed and before a facilitator or a node is asked. A reply that was bought is handed out all the same, and a payment
 * that may have moved money can be asked about.
 */
export type Bounds = {
  /** What to tell a client whose payments failed too often. */
  findOver(client: string): Promise<ServiceError | undefined>
  /** Whether this wallet has bought lately, and nothing of it has failed since. */
  isKnown(payer: string): boolean
  /** A payment that cannot even be read, or is somebody else's. */
  countUnusable(client: string): Promise<void>
  /** Sells within them. */
  sell(client: string, payment: Payment, offer: Offer, problem: Problem | undefined): Promise<Sale>
}
export type BoundsPorts = StrangersPorts & {
  counters: RateCounters
  open: OpenPayments
  sell: Sell
}

export function createBounds(ports: BoundsPorts): Bounds {
  const { clock, open } = ports
  const desk: Desk = {
    open,
    failures: createFailedPayments(ports, FAILED),
    unsold: createFailedPayments(ports, UNSOLD),
    unseen: createUnseenPayments(ports),
    sell: ports.sell,
    clients: createPlaces({ ...CLIENT_PLACES, clock }),
    payers: createPlaces({ ...PAYER_PLACES, clock, alsoTaken: open.countOf }),
    strangers: createStrangers(ports),
  }
  return {
    findOver: (client) => findClientProblem(desk, client),
    isKnown: desk.payers.isGrown,
    countUnusable: async (client) => void (await fail(desk, { client })),
    async sell(client, payment, offer, problem) {
      if (problem)
        return sellWithProblem(desk, client, payment, { offer, problem, counts: isTheirs(problem) })
      const { payer } = payment
      const buyer = { client, payer, line: lineOf(desk, client, payer) }
      const over = await findPayerProblem(desk, payer)
      // Else who has one wallet over its budget could have its signature checked for ever.
      if (over) return sellWithProblem(desk, client, payment, { offer, problem: over, counts: true })
      const unseen = await desk.unseen.findOver(desk.payers.isGrown(payer) ? undefined : client, payment)
      if (unseen) return desk.sell(payment, offer, unseen)
      const isInLine = !takePlaces(desk, buyer)
      if (isInLine) {
        const stored = await findStored(desk, payment, offer)
        if (stored) return stored
        await waitForPlaces(desk, buyer)
      }
      try {
        if (isInLine) await checkAgain(desk, buyer)
        return await sellAndCount(desk, buyer, payment, offer)
      } finally {
        desk.clients.leave(buyer.line)
        desk.payers.leave(payer)
      }
    },
  }
}

type Desk = {
  open: OpenPayments
  failures: FailedPayments
  /** Of payments that were good, and of which no sale came. */
  unsold: FailedPayments
  unseen: UnseenPayments
  sell: Sell
  clients: Places
  payers: Places
  strangers: Strangers
}
/** `line` is where the sale has its place among those of the client. */
type Buyer = { client: string; payer: string; line: string }

/** Who has bought lately has places apart from those of strangers behind the same address. */
const lineOf = ({ payers }: Desk, client: string, payer: string): string =>
  payers.isGrown(payer) ? `known ${client}` : client

async function findClientProblem({ failures, unsold }: Desk, client: string) {
  return (await failures.findOverClient(client)) ?? (await unsold.findOverClient(client))
}

async function findPayerProblem(desk: Desk, payer: string): Promise<ServiceError | undefined> {
  const { failures, unsold } = desk
  const over = (await failures.findOverPayer(payer)) ?? (await unsold.findOverPayer(payer))
  return over ?? findOpenProblem(desk, payer)
}

const findOpenProblem = ({ open }: Desk, payer: string): ServiceError | undefined =>
  open.countOf(payer) >= OPEN_BY_PAYER ? tooManyOpen() : undefined

type Hopeless = { offer: Offer; problem: Problem; counts: boolean }

/** Nobody's signature is proven here, so only the client answers for it. */
async function sellWithProblem(
  desk: Desk,
  client: string,
  payment: Payment,
  { offer, problem, counts }: Hopeless,
): Promise<Sale> {
  try {
    const sale = await desk.sell(payment, offer, problem)
    if (sale.kind === 'refused') await fail(desk, { client })
    return sale
  } catch (error) {
    if (counts && error === problem) await fail(desk, { client })
    throw error
  }
}

/** Not where the fault is ours, nor where he is over a budget already. */
const isTheirs = (problem: Problem): boolean =>
  problem instanceof ServiceError && problem.code !== 'rate_limited' && statusOf(problem.code) < 500

function takePlaces({ clients, payers }: Desk, { line, payer }: Buyer): boolean {
  if (!payers.take(payer)) return false
  if (clients.take(line)) return true
  payers.leave(payer)
  return false
}

/** Who has bought already does not wait in line, nor does who has sent what the chain has not decided. */
async function findStored(desk: Desk, payment: Payment, offer: Offer): Promise<Sale | undefined> {
  const nothing = tooManyAtOnce()
  return desk.sell(payment, offer, nothing).catch((error) => {
    if (error !== nothing) throw error
    return undefined
  })
}

/** First in the line of the wallet, so that one who sends many holds up no place of those who share his address. */
async function waitForPlaces(desk: Desk, { line, payer }: Buyer): Promise<void> {
  const { clients, payers } = desk
  if (!(await payers.wait(payer))) throw findOpenProblem(desk, payer) ?? tooManyAtOnce()
  if (!(await clients.wait(line))) {
    payers.leave(payer)
    throw tooManyAtOnce()
  }
}

/** Those before may have failed meanwhile; who has bought lately answers for himself alone. */
async function checkAgain(desk: Desk, { client, payer }: Buyer): Promise<void> {
  const overClient = desk.payers.isGrown(payer) ? undefined : await findClientProblem(desk, client)
  const over = overClient ?? (await findPayerProblem(desk, payer))
  if (over) throw over
}

async function sellAndCount(desk: Desk, buyer: Buyer, payment: Payment, offer: Offer): Promise<Sale> {
  const { clients, payers, strangers, open } = desk
  const { client, payer, line } = buyer
  let isFirstUse = false
  let isUnproven = false
  let isGood = false
  /** Who sees a payment on the chain can send it too: its payer answers only for the first use. */
  const blamed = () => (isFirstUse ? buyer : { client })
  const hooks = {
    onClaimed() {
      isFirstUse = true
      offer.onClaimed?.()
    },
    onUnproven() {
      isUnproven = true
    },
  }
  const noted = {
    ...offer,
    work() {
      isGood = true
      return offer.work()
    },
  }
  try {
    const isKnown = payers.isGrown(payer)
    const sell = (terms: Offer) => desk.sell(payment, { ...terms, ...hooks, isKnown }, undefined)
    const sale = isKnown
      ? await sell(noted)
      : ((await findStored(desk, payment, offer)) ?? (await strangers.sell(client, noted, sell)))
    if (sale.kind === 'refused') await fail(desk, blamed())
    else if (!sale.isReplay) {
      clients.grow(line)
      payers.grow(payer)
      strangers.noteSale(client)
    }
    return sale
  } catch (error) {
    // Where our node cannot show what others have used nothing is left behind, and it is no fault of theirs.
    const isPending = isFirstUse && isFailure(error, 'payment_pending')
    const isLeftOpen = isPending && open.has(payment.key)
    if (isPending && !isLeftOpen) await endUnseen(desk, buyer, payment)
    if (isLeftOpen || isUnproven || isFailure(error, 'payment_already_used')) {
      const takeBack = await fail(desk, blamed())
      if (isLeftOpen) open.onSettled(payment.key, () => void takeBack())
    } else if (isGood && !isOurs(error)) await endUnsold(desk, buyer)
    throw error
  }
}

type FailedBuyer = { client: string; payer?: string; line?: string }

async function fail(desk: Desk, failed: FailedBuyer): Promise<TakeBack> {
  const { failures, clients, payers, strangers } = desk
  clients.shrink(failed.line ?? failed.client)
  strangers.noteFailure(failed.client)
  if (failed.payer !== undefined) payers.shrink(failed.payer)
  return failures.count(failed)
}

/** He is as a stranger again: else who has bought a little could ask for data without age, and check after check. */
async function endUnsold({ unsold, payers, strangers }: Desk, buyer: Buyer): Promise<void> {
  payers.shrink(buyer.payer)
  strangers.noteFailure(buyer.client)
  await unsold.count(buyer)
}

/**
 * It counts against nobody who may have been charged, but he is as a stranger again, behind those who cost nothing: else
 * wallets that have bought once could have one used nonce after another looked for, before all others.
 */
async function endUnseen({ unseen, payers, strangers }: Desk, buyer: Buyer, payment: Payment): Promise<void> {
  payers.shrink(buyer.payer)
  strangers.noteFailure(buyer.client)
  await unseen.count(buyer.client, payment)
}

/** It is no fault of the buyer's. */
const isOurs = (error: unknown): boolean =>
  isFailure(error, 'payment_pending') || isFailure(error, 'payments_unavailable')

const isFailure = (error: unknown, code: ServiceError['code']): boolean =>
  error instanceof ServiceError && error.code === code
