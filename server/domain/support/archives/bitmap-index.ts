/**
 * The bitmap index of the archive: for each fact and UTC day, which entries of that day have the fact, 1,024 of them per row
 * of `archive_bitmaps`. The position of an entry in the bitmaps of its day is its `slot`.
 *
 * It yields exact totals for any combination of filters in a few milliseconds with a million chats. A GIN index over the
 * facts took 100 ms for two filters that each match many chats, because it visits every matching entry.
 */
export const BITMAP_WIDTH = 1024;

export const EMPTY_BITMAP = `B'0'::bit(${BITMAP_WIDTH})`;

/** SQL for the number of the `archive_bitmaps` row that contains this slot. */
export const bitmapPart = (slot: string): string => `${slot} / ${BITMAP_WIDTH}`;

/** SQL for a bitmap in which only the bit of this slot is set. */
export const slotBit = (slot: string): string => `set_bit(${EMPTY_BITMAP}, ${slot} % ${BITMAP_WIDTH}, 1)`;

/** SQL condition: the bit of this slot is set. */
export const hasBit = (bitmap: string, slot: string): string => `get_bit(${bitmap}, ${slot} % ${BITMAP_WIDTH}) = 1`;

/** A fact that every entry has. It is used to count all entries when there are no filters. */
export const EVERY_FACT = '0';
