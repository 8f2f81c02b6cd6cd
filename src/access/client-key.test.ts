import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createClientAddress, createClientKey, customerOf, networkOf } from './client-key.ts'

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

describe('client key', () => {
  test('without trusted proxies the socket counts, whatever the header says', () => {
    const key = createClientKey([])
    expect([key(from('9.9.9.9', '1.2.3.4')), key(from('::ffff:9.9.9.9'))]).toEqual(['9.9.9.9', '9.9.9.9'])
  })

  test('an IPv6 line is one client, whichever of its addresses it uses', () => {
    const key = createClientKey([])
    const keys = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:DB8:1:2:0:0:0:5'].map((ip) =>
      key(from(ip)),
    )
    expect(new Set(keys).size).toBe(1)
    expect(key(from('2001:db8:1:3::1'))).not.toBe(keys[0])
  })

  test('a customer may have a whole IPv6 /48, and one IPv4 address', () => {
    const key = createClientKey([])
    const customers = ['2001:db8:1::1', '2001:db8:1:ffff::1', '2001:db8:2::1'].map((ip) =>
      customerOf(key(from(ip))),
    )
    expect(customers).toEqual(['20010db80001/48', '20010db80001/48', '20010db80002/48'])
    expect(customers.map(networkOf)).toEqual(Array(3).fill('20010db8/32'))
    expect(customerOf(key(from('9.9.9.9')))).toBe('9.9.9.9')
    expect(networkOf('9.9.9.9')).toBe('9.9.9.9')
  })

  test('an address is told whole, by the same rules', () => {
    const address = createClientAddress(['10.0.0.0/8'])
    expect(address(from('10.1.1.1', '6.6.6.6, 2001:db8:1:2::7, 10.0.0.9'))).toBe('2001:db8:1:2::7')
    expect(address(from('10.1.1.1'))).toBe('10.1.1.1')
    expect(address(from('::ffff:8.8.8.8', '1.2.3.4'))).toBe('8.8.8.8')
  })

  test('behind trusted proxies the right-most address that is not ours counts', () => {
    const key = createClientKey(['10.0.0.0/8', '192.168.1.5'])
    expect(key(from('10.1.1.1', '6.6.6.6, 1.2.3.4, 192.168.1.5'))).toBe('1.2.3.4')
    expect(key(from('10.1.1.1', ' 1.2.3.4 '))).toBe('1.2.3.4')
    expect(key(from('8.8.8.8', '1.2.3.4'))).toBe('8.8.8.8')
  })

  test.each(['', 'unknown', 'localhost', '1.2.3', '1.2.3.4:', '10.0.0.1, 10.0.0.2', ','.repeat(5_000)])(
    'a forwarded address of %j falls back to the proxy',
    (header) => expect(createClientKey(['10.0.0.0/8'])(from('10.1.1.1', header))).toBe('10.1.1.1'),
  )

  test('a hop with a port counts by its address', () => {
    const key = createClientKey(['127.0.0.1'])
    const keyOf = (forwarded: string) => key(from('127.0.0.1', forwarded))
    expect(keyOf('203.0.113.9:5555')).toBe(keyOf('203.0.113.9'))
    expect(keyOf('[2001:db8::1]:5555')).toBe(keyOf('2001:db8::1'))
    expect(keyOf('203.0.113.9:port')).toBe('127.0.0.1')
  })
})
