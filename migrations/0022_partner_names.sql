-- names of partners' services lose our internal number: "fedex priority (1000006)" becomes
-- "fedex priority (partner)".

create table renamed_products as
  select product_id, replace(product_name, ' (' || cast(product_id as text) || ')', '') as plain,
    row_number() over (
      partition by replace(product_name, ' (' || cast(product_id as text) || ')', '')
      order by product_id) as place
  from products
  where product_name like '% (' || cast(product_id as text) || ')';

update products set product_name = (
    select r.plain || case r.place when 1 then ' (partner)'
      else ' (partner ' || cast(r.place as text) || ')' end
    from renamed_products r where r.product_id = products.product_id)
  where product_id in (select product_id from renamed_products);

update bookings set product_name = (
    select p.product_name from products p where p.product_id = bookings.product_id)
  where product_id in (select product_id from renamed_products);

drop table renamed_products;
