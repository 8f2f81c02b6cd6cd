import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import type { VenueMarket } from '../venue.ts'
import { findOther, listOthers } from './other-markets.ts'

const NOW = Date.UTC(2026, 4, 6, 13)
const none = () => false
const listed = listOthers('others', NOW, none)
const markets = listed.map(({ listing }) => listing.market)

describe('the other markets', () => {
  it('are more than a hundred, of many subjects, with names of their own', () => {
    const open = markets.filter(({ endsMs }) => endsMs > NOW)
    expect(open.length).toBeGreaterThan(100)
    for (const name of ['id', 'slug', 'conditionId', 'question'] as const)
      expect([name, new Set(markets.map((market) => market[name])).size]).toEqual([name, markets.length])
    expect(markets.filter(({ slug }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))).toEqual([])
    const subjects = ['politics', 'sports', 'weather', 'crypto', 'economy', 'tech', 'culture', 'world']
    for (const subject of subjects)
      expect(open.filter(({ tags }) => tags[0] === subject).length).toBeGreaterThan(5)
    expect(open.some(({ question }) => question.length > 400)).toBe(true)
    expect(open.some(({ endsMs }) => endsMs < NOW + 12 * HOUR_MS)).toBe(true)
    expect(open.some(({ endsMs }) => endsMs > NOW + 3 * 365 * DAY_MS)).toBe(true)
    expect(markets.every(({ listedMs, question }) => listedMs < NOW && !question.includes('{'))).toBe(true)
  })

  it('of one event have prices that add up to a dollar', () => {
    const events = Map.groupBy(listed, ({ listing }) => listing.market.eventSlug)
    const races = [...events.values()].filter((choices) => choices.length > 1)
    expect(races.length).toBeGreaterThan(5)
    for (const choices of races)
      for (const atMs of [NOW, NOW + 5 * HOUR_MS, NOW - DAY_MS]) {
        const sum = choices.reduce((total, { listing }) => total + listing.fairAt(atMs), 0)
        expect(sum).toBeGreaterThan(0.98)
        expect(sum).toBeLessThan(1.02)
      }
    for (const choices of races)
      expect(choices.filter(({ listing }) => listing.decide() === 0).length).toBe(1)
  })

  it('move slowly, and agree with their outcome at the end', () => {
    for (const { listing } of listed) {
      const { endsMs } = listing.market
      const then = Math.min(NOW, endsMs - 12 * HOUR_MS)
      expect(Math.abs(listing.fairAt(then) - listing.fairAt(then - 60_000))).toBeLessThan(0.02)
      const wins = listing.decide() === 0
      expect(wins ? listing.fairAt(endsMs) : 1 - listing.fairAt(endsMs)).toBeGreaterThan(0.5)
    }
    const moved = listed.filter(
      ({ listing }) => Math.abs(listing.fairAt(NOW) - listing.fairAt(NOW - DAY_MS)) > 0.01,
    )
    expect(moved.length).toBeGreaterThan(listed.length / 3)
  })

  it('have volumes that only grow, a few of them most of it', () => {
    for (const { course, choice } of listed)
      for (let atMs = NOW - 2 * DAY_MS; atMs < NOW; atMs += 2 * HOUR_MS)
        expect(course.volumeUsd(choice, atMs + 2 * HOUR_MS)).toBeGreaterThanOrEqual(
          course.volumeUsd(choice, atMs),
        )
    const daily = listed
      .map(({ course, choice }) => course.volumeUsd(choice, NOW) - course.volumeUsd(choice, NOW - DAY_MS))
      .sort((a, b) => b - a)
    const sum = (volumes: readonly number[]) => volumes.reduce((a, b) => a + b, 0)
    expect(sum(daily.slice(0, 12)) / sum(daily)).toBeGreaterThan(0.5)
    expect(daily.at(-1)).toBeLessThan(1_000)
  })

  it('come back tomorrow under new names, and keep those that last', () => {
    const known = new Set(markets.map(({ slug }) => slug))
    const tomorrow = listOthers('others', NOW + DAY_MS, (slug) => known.has(slug))
    expect(tomorrow.length).toBeGreaterThan(10)
    expect(tomorrow.every(({ listing }) => listing.market.endsMs < NOW + 3 * DAY_MS)).toBe(true)
    expect(listOthers('others', NOW, (slug) => known.has(slug))).toEqual([])
  })

  it('are found by their name from their listing on, and nothing else is', () => {
    const facts = ({ id, slug, conditionId, question, endsMs, listedMs }: VenueMarket) => ({
      ...{ id, slug, conditionId, question, endsMs, listedMs },
    })
    for (const { slug, ...market } of markets)
      for (const laterMs of [0, 400 * DAY_MS]) {
        const found = findOther('others', slug, NOW + laterMs)
        expect(found && facts(found.listing.market)).toEqual(facts({ slug, ...market }))
      }
    const daily = markets.find(({ slug }) => slug.endsWith('may-6-2026'))?.slug ?? ''
    const renamed = (date: string) => daily.replace('may-6-2026', date)
    const strange = ['may-9-2026', 'may-06-2026', 'may-32-2026', 'x-6-2026', '2026', 'may-2026', '']
    expect(findOther('others', renamed('may-5-2019'), NOW)).toBeDefined()
    for (const date of strange)
      expect([date, findOther('others', renamed(date), NOW)]).toEqual([date, undefined])
  })
})
