import type { Picture } from './pictures.ts';

export interface Product {
  slug: Picture;
  name: string;
  price: string;
  short: string;
  text: string;
}

/** The products that customers ask about in the demo conversations. */
export const products: readonly Product[] = [
  {
    slug: 'lamp',
    name: 'Oak desk lamp',
    price: '€ 89',
    short: 'Warm light, solid base',
    text: 'Turned from a single piece of oak, with a linen shade. Dimmable bulb included.',
  },
  {
    slug: 'blanket',
    name: 'Wool blanket',
    price: '€ 64',
    short: 'Woven from new wool',
    text: 'Soft, dense and warm. Machine washable at 30 degrees on the wool cycle.',
  },
  {
    slug: 'chair',
    name: 'Ladder chair',
    price: '€ 149',
    short: 'Oiled beech, rush seat',
    text: 'Light enough to carry with one hand. Spare legs are available for ten years.',
  },
  {
    slug: 'rug',
    name: 'Striped rug',
    price: '€ 210',
    short: '170 × 240 cm, flat woven',
    text: 'Reversible. Return it within 30 days, even if unrolled.',
  },
  {
    slug: 'curtain',
    name: 'Linen curtains',
    price: '€ 118',
    short: 'A pair, up to 240 cm',
    text: 'Washed linen with a beautiful drape. Custom lengths ship within a week.',
  },
  {
    slug: 'vase',
    name: 'Clay vase',
    price: '€ 38',
    short: 'Thrown by hand',
    text: 'Each one is unique. Glazed inside, so it holds water.',
  },
];
