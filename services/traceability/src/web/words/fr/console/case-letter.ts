// The text that is sent to whoever a recall case concerns, in French.
import type { Words } from '../../en.ts';

export const letter = {
  subject: (title: string, caseNo: string) => `Rappel : ${title} (${caseNo})`,
  subjectOfCheck: (title: string, caseNo: string) => `À vérifier : ${title} (${caseNo})`,
  greeting: 'Madame, Monsieur,',
  intro: {
    customer: (brand: string) =>
      `${brand} rappelle des produits qui vous ont été livrés ou vendus.`,
    channel: (brand: string) => `${brand} rappelle des produits vendus par votre intermédiaire.`,
    supplier: (brand: string) =>
      `${brand} rappelle des produits qui contiennent ce que vous avez livré.`,
    internal_qa: (brand: string) => `Un rappel de ${brand} concerne les produits ci-dessous.`,
    regulator: (brand: string) => `${brand} vous informe du rappel des produits ci-dessous.`,
    public: (brand: string) => `${brand} rappelle les produits ci-dessous.`,
  },
  request: {
    customer:
      'Veuillez ne plus utiliser ni vendre ces lots, les mettre à part et prévenir ceux à qui vous les avez remis. Répondez à ce message : confirmez que vous l’avez lu, indiquez ce qu’il vous reste et ce qu’est devenu le reste.',
    channel:
      'Veuillez ne plus vendre ces lots, les mettre à part et prévenir ceux à qui vous les avez remis. Répondez à ce message : confirmez que vous l’avez lu, indiquez ce qu’il vous reste et ce qu’est devenu le reste.',
    supplier:
      'Veuillez rechercher chez vous la cause possible et qui d’autre est concerné. Répondez à ce message : confirmez que vous l’avez lu et indiquez ce que vous avez trouvé.',
    internal_qa: 'Veuillez mettre en sûreté ce qui est encore sur place et le confirmer.',
    regulator:
      'Le rapport, avec tous les lots et la liste de distribution, est disponible sur demande.',
    public: 'L’avis public indique comment rapporter les produits.',
  },
  reason: (text: string) => `Motif : ${text}`,
  lotsOfYours: 'Lots que vous avez reçus :',
  lotsOfSupplier: 'Nos lots dans lesquels vos livraisons sont entrées :',
  lotsOfCase: 'Lots de ce rappel, avec ce qui a été livré ou vendu de chacun :',
  lots: 'Lots :',
  more: (lots: string) => `et ${lots} autres lots ; la liste complète est disponible sur demande`,
  inAll: (amounts: string) => `En tout : ${amounts}`,
  contact: (text: string) => `Contact : ${text}`,
  notice: (address: string) => `L’avis public : ${address}`,
  regards: 'Cordialement',
} satisfies Words['console']['cases']['letter'];
