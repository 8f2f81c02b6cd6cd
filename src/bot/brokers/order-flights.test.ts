import { expect, test } from 'vitest'
import type { Placed } from './broker.ts'
import { createOrderFlights } from './order-flights.ts'

const refused: Placed = { state: 'refused', reason: 'no' }

test('an order is placed once while it is under way, and can be found meanwhile', async () => {
  const flights = createOrderFlights()
  let placed = 0
  const { promise, resolve } = Promise.withResolvers<Placed>()
  const place = () => {
    placed++
    return promise
  }
  const both = [flights.join('a', place), flights.join('a', place), flights.find('a')]
  expect([placed, flights.find('b')]).toEqual([1, undefined])
  resolve(refused)
  expect(await Promise.all(both)).toEqual([refused, refused, refused])
  expect(flights.find('a')).toBeUndefined()
  await flights.join('a', place)
  expect(placed).toBe(2)
})

test('a failure ends a flight too, and there are not too many', async () => {
  const flights = createOrderFlights()
  await expect(flights.join('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(flights.find('a')).toBeUndefined()
  const { promise, resolve } = Promise.withResolvers<Placed>()
  for (let n = 0; n < 100; n++) flights.join(`${n}`, () => promise)
  expect(flights.join('more', () => promise)).toBeUndefined()
  resolve(refused)
  await flights.find('99')
  expect(flights.join('more', () => promise)).toBeDefined()
})
