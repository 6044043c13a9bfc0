import type { Picture } from './pictures.ts';

export interface Product {
  slug: Picture;
  name: string;
  price: string;
  short: string;
  text: string;
}

/** What the demo shop sells: the things its customers ask for in the conversations of the demo. */
export const shelf: readonly Product[] = [
  {
    slug: 'lamp',
    name: 'Oak desk lamp',
    price: '€ 89',
    short: 'Warm light, solid foot',
    text: 'Turned from one piece of oak, with a linen shade. The bulb is included and can be dimmed.',
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
    text: 'Light enough to carry with one hand. Spare legs are kept for ten years.',
  },
  {
    slug: 'rug',
    name: 'Striped rug',
    price: '€ 210',
    short: '170 × 240 cm, flat woven',
    text: 'Both sides can be used. May be returned within 30 days, unrolled or not.',
  },
  {
    slug: 'curtain',
    name: 'Linen curtains',
    price: '€ 118',
    short: 'A pair, up to 240 cm',
    text: 'Washed linen that falls well. Longer ones come from the workshop within a week.',
  },
  {
    slug: 'vase',
    name: 'Clay vase',
    price: '€ 38',
    short: 'Thrown by hand',
    text: 'No two are alike. Glazed inside, so that it holds water.',
  },
];
