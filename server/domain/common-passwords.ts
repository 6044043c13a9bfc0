/** The most common passwords of published lists with at least five characters, in lower case. Sequences of digits are checked separately. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword pa55word passwort motdepasse contraseña
  qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwertyuiop qwertyui qwert qwertz asdfgh asdfghjkl asdfasdf asdf1234 zxcvbn
  zxcvbnm zxcvb 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 qazwsx qazwsxedc q1w2e3r4 q1w2e3r4t5 zaq12wsx zaq1zaq1 azerty
  abc123 abc12345 abcd1234 abcdef abcdefg abcdefgh a1b2c3 a1b2c3d4 aa123456 a123456 a12345678 a123456789 123abc 123qwe 123321
  123123 123123123 1234qwer 12qwaszx 147258 147258369 159357 159753 102030 112233 11223344 121212 123654 123654789 131313
  696969 654321 666666 741852963 753951 789456 789456123 789789 852456 987654 987654321 987654321a 123456a 123456aa 123456q
  12345a 12345qwert 12345q iloveyou iloveyou1 iloveu welcome welcome1 welcome123 letmein letmein1 admin admin1 admin123
  admin1234 administrator root toor login master superman batman spiderman pokemon naruto starwars dragon monkey tigger
  football football1 baseball basketball soccer hockey liverpool arsenal chelsea barcelona juventus jordan jordan23 michael
  jennifer jessica ashley amanda nicole daniel andrew joshua matthew anthony robert thomas charlie george william sophie
  samsung google facebook computer internet windows samantha princess princess1 sunshine sunshine1 shadow summer summer1
  winter spring autumn flower lovely loveme purple orange banana cookie chocolate cheese pepper ginger maggie buster
  hunter hunter2 killer trustno1 whatever freedom secret secret1 secret123 access mustang corvette ferrari mercedes harley
  yankees cowboys lakers eagles ranger steelers michelle matrix phoenix merlin silver golden diamond blessed jesus1 angel1
  angels hello hello1 hello123 hellohello test1 test12 test123 test1234 testing testtest tester guest default changeme
  changeit temp1234 temppass qwe123 qweasd qweasdzxc asd123 asdasd zxc123 zxczxc fuckyou fuckyou1 bitch blink182 donald
  starwars1 snoopy scooby mickey minnie garfield peanut butter cherry apples apple1 monkey1 dragon1 ncc1701 thx1138
  support support1 support123 helpdesk customer customer1 company company1 company123 parley parley1 parley123 livechat
  chatbot supportchat letmein123 iloveyou123 monday friday january february march2024 winter2024 summer2024 spring2024`
    .split(/\s+/)
    .map((word) => word.toLowerCase()),
);
