/** Sample conversations of the demo shop. Lines starting with `>` are from the agent. */
export const conversations: readonly (readonly string[])[] = [
  [
    'Hi, is the oak desk lamp back in stock?',
    '> Hello! Let me look that up for you.',
    '> It is: 14 pieces arrived this morning.',
    'Great, ordering now. Thanks!',
  ],
  [
    'My parcel says delivered but it is not here',
    '> I am sorry to hear that. Could you tell me the order number?',
    'It is 48213',
    '> Thank you. The courier left it with the neighbor at number 12.',
    'Found it! You are the best.',
  ],
  ['Do you ship to Portugal?', '> Yes, in three to five days. Shipping is free above 60 euros.', 'Perfect'],
  [
    'I entered the wrong address on order 48377',
    '> No problem, it has not left yet. What should it be?',
    '27 Harbor Street, second floor',
    '> Changed. You will get a new confirmation in a minute.',
    'Got it, thank you',
  ],
  [
    'Can I return a rug that I have unrolled?',
    '> Of course, within 30 days. I will mail you the label.',
    'Lovely, thanks',
  ],
  [
    'The discount code SPRING does not work',
    '> It ended on Sunday, but I can give you the same ten percent once. Use AGAIN10.',
    'That is kind, it worked!',
  ],
  [
    'Is the wool blanket machine washable?',
    '> At 30 degrees on the wool cycle, yes. Please do not tumble dry it.',
    'Good to know',
  ],
  [
    'How do I change my password?',
    '> Under Account, then Security. Shall I send you the link?',
    'Yes please',
    '> Sent. It works for one hour.',
  ],
  [
    'Hello? Anyone there?',
    '> Good morning! How can I help?',
    'I would like an invoice with my VAT number',
    '> Happy to. Please tell me the number and the order.',
    'PL5260001246, order 48102',
    '> The new invoice is on its way to your inbox.',
  ],
  [
    'One chair arrived with a scratch',
    '> I am sorry about that. Could you describe where it is?',
    'On the left leg, about two centimeters',
    '> We will send a new leg today; you can keep the old one.',
    'Wow, quick. Thanks!',
  ],
  [
    'Do you have the curtains in 250 cm?',
    '> Up to 240 in the shop, but the workshop can make 250 in a week.',
    'How much more would that be?',
    '> Twelve euros a pair.',
    'I will think about it',
  ],
  ['When do you open on Saturday?', '> From ten to four. The chat is open until two.', 'See you then'],
];

export const customers: readonly { name: string; email: string }[] = [
  { name: 'Ada Novak', email: 'ada.novak@example.com' },
  { name: 'Ben Okafor', email: 'ben.okafor@example.com' },
  { name: 'Chiara Conti', email: 'chiara.conti@example.com' },
  { name: 'Dmitri Petrov', email: 'dmitri@example.org' },
  { name: 'Elif Kaya', email: 'elif.kaya@example.net' },
  { name: 'Femke de Vries', email: 'femke@example.org' },
  { name: 'Giorgos Pappas', email: 'giorgos@example.com' },
  { name: 'Hana Suzuki', email: 'hana.suzuki@example.net' },
  { name: 'Ines Costa', email: 'ines.costa@example.com' },
  { name: 'Jonas Berg', email: 'jonas.berg@example.org' },
];

export const agents: readonly { name: string; jobTitle: string; groups: readonly string[] }[] = [
  { name: 'Marta Nowak', jobTitle: 'Owner', groups: ['Sales', 'Support'] },
  { name: 'Tomas Lindgren', jobTitle: 'Sales Advisor', groups: ['Sales'] },
  { name: 'Leila Haddad', jobTitle: 'Support Agent', groups: ['Support'] },
];
