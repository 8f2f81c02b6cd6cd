export const NOTHING: string
export function count(value: number): string
export function percent(share: number, digits?: number): string
export function dollars(value: number): string
export function amount(value: number): string
export function signed(value: number, toText?: (value: number) => string): string
export function secondOf(epochS: number): string
export function minuteOf(epochS: number): string
export function dayAndMinuteOf(epochS: number): string
export function dateAndMinuteOf(iso: string): string
export function spanOf(fromS: number, toS: number): string
