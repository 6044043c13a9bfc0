import { randomUUID } from 'node:crypto';
import type { WhyUncounted } from '#server/storage/tables/programme.ts';

/** Somebody asked for a link of a campaign. */
export interface Hit {
  partnerId: number;
  campaignId: number;
  visitorId: string;
  /** Known by a cookie for so long that it tells all. Before, whoever has the same fingerprint may be the same visitor. */
  returning: boolean;
  /** In hexadecimal digits. */
  fingerprint: string;
  clickedAt: Date;
  /** Why it does not count, if that is known already. */
  reason: WhyUncounted | undefined;
  userAgent: string | undefined;
  referrer: string | undefined;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
}

/** Clicks as the database reads them. From the id and their place they have ids of their own. */
export interface ClickBatch {
  id: string;
  size: number;
  text: string;
}

export interface OpenClickBatch {
  size(): number;
  add(hit: Hit): void;
  /** Nothing is added from then on. */
  close(): ClickBatch;
}

/**
 * Column by column, and each text once: so a click takes a quarter of the room that it has as a row of its own, and hardly any
 * time. What many clicks say alike, as browsers do, is a place in `texts`, counted from one; nothing is zero.
 */
export const openClickBatch = (): OpenClickBatch => {
  const texts: string[] = [];
  const places = new Map<string, number>();
  const columns = {
    partners: [] as number[],
    campaigns: [] as number[],
    visitors: [] as string[],
    known: [] as boolean[],
    fingerprints: [] as string[],
    times: [] as number[],
    reasons: [] as number[],
    agents: [] as number[],
    referrers: [] as number[],
    mediums: [] as number[],
    contents: [] as number[],
    terms: [] as number[],
    texts,
  };

  const place = (text: string | undefined): number => {
    if (!text) return 0;
    const found = places.get(text);
    if (found !== undefined) return found;
    // What no database takes would keep it from reading all the others.
    texts.push(text.replaceAll('\0', '').toWellFormed());
    places.set(text, texts.length);
    return texts.length;
  };

  return {
    size: () => columns.times.length,
    add: (hit) => {
      columns.partners.push(hit.partnerId);
      columns.campaigns.push(hit.campaignId);
      columns.visitors.push(hit.visitorId);
      columns.known.push(hit.returning);
      columns.fingerprints.push(hit.fingerprint);
      columns.times.push(hit.clickedAt.getTime());
      columns.reasons.push(place(hit.reason));
      columns.agents.push(place(hit.userAgent));
      columns.referrers.push(place(hit.referrer));
      columns.mediums.push(place(hit.utmMedium));
      columns.contents.push(place(hit.utmContent));
      columns.terms.push(place(hit.utmTerm));
    },
    close: () => ({ id: randomUUID(), size: columns.times.length, text: JSON.stringify(columns) }),
  };
};

/** One that was put down. */
export const readClickBatch = (id: string, text: string): ClickBatch => {
  const { times } = JSON.parse(text) as { times: number[] };
  return { id, size: times.length, text };
};
