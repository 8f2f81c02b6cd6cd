/** Days that counts are kept; older ones are removed with the next count. */
export const PAGE_VIEW_DAYS_KEPT = 90

/** Stands for all pages of a day together. */
export const ALL_PAGES = '*'

/** Of one page on one UTC day (number since the epoch). */
export type PageViewSum = { day: number; page: string; views: number; visitors: number }

/** Counts of views. It holds no visitor, neither by address nor by a hash of it. */
export type PageViewLog = {
  /** Adds to what is there. Never waits and never fails; up to a second of counts is lost in a crash. */
  record(sum: PageViewSum): void
  /** From the day on, oldest first, then by page. */
  perDay(sinceDay: number): Promise<readonly PageViewSum[]>
}
