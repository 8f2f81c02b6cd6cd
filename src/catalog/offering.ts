/** What one installation has and another has not; an endpoint may depend on it. */
export type Offering = {
  /** Money that is worth nothing, on chains of our own that can hand it out. */
  playMoney: boolean
  /** What was earned and who paid is for everybody to see. */
  publicRevenue: boolean
}
